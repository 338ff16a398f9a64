package dev.trunkline.lookup;

import java.time.Duration;

/**
 * How the lookups of a database behave.
 *
 * @param waitTimeout how long a statement may wait for its keys before it is refused
 * @param reloadInterval least time between the end of a verifying reload and the start of the next
 * @param missVerification how a missing value is verified
 * @param keepOnInsert whether a transaction that only inserted mappings leaves the published map in place
 * @param maxBytes a map that would need more memory fails to load
 */
public record LookupOptions(
        Duration waitTimeout,
        Duration reloadInterval,
        MissVerification missVerification,
        boolean keepOnInsert,
        long maxBytes) {

    /** The defaults of the configuration; a map may take half of the heap (an old and a new one live at once). */
    public static final LookupOptions DEFAULTS = new LookupOptions(
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            MissVerification.PROBE,
            true,
            Runtime.getRuntime().maxMemory() / 2);
}
