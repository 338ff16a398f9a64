package dev.trunkline.proxy.measure;

import org.HdrHistogram.Histogram;

/**
 * A histogram in microseconds for each {@link Timing}, precise to about one per cent. Written and copied on one event
 * loop.
 */
public final class Timings {

    /** Two digits keep a histogram at some kilobytes; nobody acts on the third. */
    private static final int DIGITS = 2;

    private static final Timing[] ALL = Timing.values();

    private final Histogram[] histograms = new Histogram[ALL.length];

    /** Empty histograms. */
    public Timings() {
        for (Timing timing : ALL) {
            Histogram histogram = new Histogram(DIGITS);
            histogram.setAutoResize(true);
            histograms[timing.ordinal()] = histogram;
        }
    }

    /** Adds a duration. */
    public void record(Timing timing, long nanos) {
        histograms[timing.ordinal()].recordValue(Math.max(0, nanos / 1_000));
    }

    /** Adds as many durations of zero. */
    public void recordNone(Timing timing, long times) {
        if (times > 0) {
            histograms[timing.ordinal()].recordValueWithCount(0, times);
        }
    }

    /** Adds all durations of another. */
    public void add(Timings other) {
        for (int i = 0; i < histograms.length; i++) {
            histograms[i].add(other.histograms[i]);
        }
    }

    /** The distribution in microseconds; live. */
    public Histogram of(Timing timing) {
        return histograms[timing.ordinal()];
    }

    /** The distributions as they are now. */
    public Timings copy() {
        Timings copy = new Timings();
        copy.add(this);
        return copy;
    }
}
