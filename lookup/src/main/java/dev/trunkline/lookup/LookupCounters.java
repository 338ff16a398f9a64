package dev.trunkline.lookup;

import java.util.concurrent.atomic.LongAdder;

/** What has happened to one map since the start. Safe for any thread. */
final class LookupCounters {

    final LongAdder loads = new LongAdder();
    final LongAdder loadErrors = new LongAdder();
    final LongAdder rejectedLoads = new LongAdder();
    final LongAdder probes = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder unmapped = new LongAdder();
    final LongAdder timeouts = new LongAdder();
    final LongAdder invalidations = new LongAdder();
}
