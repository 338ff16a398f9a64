package dev.trunkline.lookup;

/**
 * What was the case when a read was sent: decides what its answer is good for.
 *
 * @param seen the published state: the answer may be published in this generation alone
 * @param lastMiss the number of the last miss before it: later ones it must not end
 * @param oldestCommit the oldest marked commit in flight: a miss that waits for it must not be told "no row"
 * @param nanos the time
 */
record ReadStamp(MapState seen, long lastMiss, long oldestCommit, long nanos) {

    static ReadStamp now(SharedLookup lookup, long lastMiss, Timers timers) {
        // The commits are looked at first: one that ends in between has raised the generation before it gave its
        // ticket back, so the state read afterwards is not older than what the ticket says.
        long oldestCommit = lookup.commits().oldest();
        return new ReadStamp(lookup.map().current(), lastMiss, oldestCommit, timers.nanoTime());
    }
}
