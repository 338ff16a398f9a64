package dev.trunkline.proxy.oracle;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** How many requests of each form were made, and how many of them the proxy refused. Thread-safe. */
final class Tally {

    private final Map<Form, Integer> asked = new EnumMap<>(Form.class);
    private final Map<Form, Integer> refused = new EnumMap<>(Form.class);
    private final Map<String, Integer> messages = new TreeMap<>();

    synchronized void count(Request request) {
        asked.merge(request.form(), 1, Integer::sum);
    }

    synchronized void refuse(Request request, Said got) {
        refused.merge(request.form(), 1, Integer::sum);
        messages.merge(String.valueOf(got.message()), 1, Integer::sum);
    }

    synchronized int asked() {
        return asked.values().stream().mapToInt(Integer::intValue).sum();
    }

    synchronized int asked(Form form) {
        return asked.getOrDefault(form, 0);
    }

    synchronized int refused() {
        return refused.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** The share of refused requests, from 0 to 1. */
    synchronized double refusedShare() {
        return asked() == 0 ? 0 : (double) refused() / asked();
    }

    @Override
    public synchronized String toString() {
        StringBuilder text = new StringBuilder(
                "%d requests, %d refused (%.2f %%)".formatted(asked(), refused(), 100 * refusedShare()));
        refused.forEach((form, count) -> text.append("%n  %-22s %5d of %5d".formatted(form, count, asked.get(form))));
        messages.forEach((message, count) -> text.append("%n  %5d  %s".formatted(count, message)));
        return text.toString();
    }
}
