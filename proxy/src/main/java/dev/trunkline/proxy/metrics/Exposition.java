package dev.trunkline.proxy.metrics;

import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Writes numbers in Prometheus' text format, version 0.0.4. Written by hand and not by the registry, because the names
 * are those that operators of other poolers have in their dashboards: a counter is called {@code total_query_count}, and
 * a registry would append another {@code _total}.
 *
 * @see <a href="https://prometheus.io/docs/instrumenting/exposition_formats/">Exposition formats</a>
 */
final class Exposition {

    /** Bounds of buckets in microseconds: from what a good index costs to what somebody is called for at night. */
    private static final List<Long> BOUNDS = List.of(
            100L,
            250L,
            500L,
            1_000L,
            2_500L,
            5_000L,
            10_000L,
            25_000L,
            50_000L,
            100_000L,
            250_000L,
            500_000L,
            1_000_000L,
            2_500_000L,
            5_000_000L,
            10_000_000L,
            60_000_000L);

    private final StringBuilder out = new StringBuilder(16_384);
    private final String prefix;

    /** A text whose names all begin with a prefix, which may be empty. */
    Exposition(String prefix) {
        this.prefix = prefix;
    }

    /** What sort of number a family holds. */
    enum Type {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    /** Begins a family: all its samples follow. */
    void family(String name, Type type, String help) {
        out.append("# HELP ")
                .append(prefix)
                .append(name)
                .append(' ')
                .append(help)
                .append('\n');
        out.append("# TYPE ").append(prefix).append(name).append(' ');
        out.append(type.name().toLowerCase(java.util.Locale.ROOT)).append('\n');
    }

    void sample(String name, Map<String, String> labels, double value) {
        out.append(prefix).append(name);
        labels(labels, null);
        out.append(' ').append(number(value)).append('\n');
    }

    /** A family of one sample. */
    void single(String name, Type type, String help, double value) {
        family(name, type, help);
        sample(name, Map.of(), value);
    }

    /** The samples of a histogram in microseconds, as seconds. */
    void histogram(String name, Map<String, String> labels, Histogram histogram) {
        for (long bound : BOUNDS) {
            bucket(name, labels, number(bound / 1e6), histogram.getCountBetweenValues(0, bound));
        }
        long count = histogram.getTotalCount();
        bucket(name, labels, "+Inf", count);
        sample(name + "_sum", labels, histogram.getMean() * count / 1e6);
        sample(name + "_count", labels, count);
    }

    private void bucket(String name, Map<String, String> labels, String bound, long count) {
        out.append(prefix).append(name).append("_bucket");
        labels(labels, bound);
        out.append(' ').append(count).append('\n');
    }

    private void labels(Map<String, String> labels, @org.jspecify.annotations.Nullable String bound) {
        if (labels.isEmpty() && bound == null) {
            return;
        }
        String separator = "{";
        for (Map.Entry<String, String> label : labels.entrySet()) {
            out.append(separator)
                    .append(label.getKey())
                    .append("=\"")
                    .append(escape(label.getValue()))
                    .append('"');
            separator = ",";
        }
        if (bound != null) {
            out.append(separator).append("le=\"").append(bound).append('"');
        }
        out.append('}');
    }

    private static String escape(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "0";
        }
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
