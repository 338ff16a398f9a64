package dev.trunkline.proxy.measure;

/**
 * One number for each {@link Measure}. Written by one thread at a time and with plain writes: counting costs the main
 * road next to nothing. Who reads on another thread sees numbers that may be a moment old.
 */
public final class Counters {

    private final long[] values = new long[Measure.values().length];

    /** Adds one. */
    public void count(Measure measure) {
        values[measure.ordinal()]++;
    }

    /** Adds a number. */
    public void add(Measure measure, long number) {
        values[measure.ordinal()] += number;
    }

    /** Adds all numbers of another. */
    public void add(Counters other) {
        for (int i = 0; i < values.length; i++) {
            values[i] += other.values[i];
        }
    }

    /** The number; times in nanoseconds. */
    public long get(Measure measure) {
        return values[measure.ordinal()];
    }

    /** The number as it is shown: times in microseconds. */
    public long shown(Measure measure) {
        long value = get(measure);
        return measure.isTime() ? value / 1_000 : value;
    }

    /** The numbers as they are now. */
    public Counters copy() {
        Counters copy = new Counters();
        copy.add(this);
        return copy;
    }
}
