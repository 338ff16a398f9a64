package dev.trunkline.lookup;

import dev.trunkline.conf.General;
import dev.trunkline.conf.LookupMiss;
import java.time.Duration;

/**
 * How the lookups of a database behave.
 *
 * @param waitTimeout how long a statement may wait for its keys before it is refused
 * @param reloadInterval least time between the end of a verifying reload and the start of the next
 * @param miss how a missing value is verified
 * @param keepOnInsert whether a transaction that only inserted mappings leaves the published map in place
 * @param maxBytes a map that would need more memory fails to load
 * @param maxAge how old what is published may become; zero = as old as it likes
 */
public record LookupOptions(
        Duration waitTimeout,
        Duration reloadInterval,
        LookupMiss miss,
        boolean keepOnInsert,
        long maxBytes,
        Duration maxAge) {

    /** Options under which no age matters. */
    public LookupOptions(
            Duration waitTimeout, Duration reloadInterval, LookupMiss miss, boolean keepOnInsert, long maxBytes) {
        this(waitTimeout, reloadInterval, miss, keepOnInsert, maxBytes, Duration.ZERO);
    }

    /** What the configuration says; a map may take half of the heap, because an old and a new one live at once. */
    public static LookupOptions of(General general) {
        return new LookupOptions(
                general.lookupWaitTimeout(),
                general.lookupReloadInterval(),
                general.lookupMiss(),
                general.lookupKeepOnInsert(),
                Runtime.getRuntime().maxMemory() / 2,
                general.lookupMaxAge());
    }
}
