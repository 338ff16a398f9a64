package dev.trunkline.harness.wire;

/**
 * What came up to the end of a stream.
 *
 * @param bytes in their order
 * @param isReset whether the peer reset the connection (as the system does for one that closes with bytes unread), so
 *     that the last bytes may have been lost on the way
 */
public record Remainder(byte[] bytes, boolean isReset) {}
