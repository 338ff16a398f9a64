package dev.trunkline.routing.shard;

/**
 * How COPY into sharded tables behaves.
 *
 * @param translatesBinary the binary format may be copied into a table whose keys are translated
 * @param mostHeldBytes how much of one row may be held until its key is known
 */
public record CopySettings(boolean translatesBinary, int mostHeldBytes) {}
