package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.Route;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** Where the statements of one database went on one event loop, which alone writes and copies it. */
public final class RouteCounters {

    private long direct;
    private long cross;
    private long divergent;
    private final Map<String, Long> refused = new TreeMap<>();
    private final CopyCounters copies = new CopyCounters();
    private long[] translations = new long[1];

    void direct() {
        direct++;
    }

    void routed(Route route) {
        if (route instanceof Route.Many || route instanceof Route.Split || route instanceof Route.Computed) {
            cross++;
        } else if (route instanceof Route.One || route instanceof Route.Any) {
            direct++;
        }
    }

    void refused(PgException refusal) {
        refused.merge(refusal.state().code(), 1L, Long::sum);
    }

    void divergent() {
        divergent++;
    }

    void translated(int lookup) {
        if (lookup >= translations.length) {
            translations = Arrays.copyOf(translations, lookup + 1);
        }
        translations[lookup]++;
    }

    /** Statements that went to one shard. */
    public long directCount() {
        return direct;
    }

    /** Statements that went to several shards. */
    public long crossCount() {
        return cross;
    }

    /** Writes to omnisharded tables that touched more rows on one shard than on another. */
    public long divergentCount() {
        return divergent;
    }

    /** Statements that went nowhere, by SQLSTATE. */
    public Map<String, Long> refusedCounts() {
        return refused;
    }

    /** Statements that asked a lookup map, by the number of the lookup. */
    public long translations(int lookup) {
        return lookup < translations.length ? translations[lookup] : 0;
    }

    /** Of COPY FROM STDIN over several shards. */
    public CopyCounters copies() {
        return copies;
    }

    /** Adds the numbers of another. */
    public void add(RouteCounters other) {
        direct += other.direct;
        cross += other.cross;
        divergent += other.divergent;
        copies.add(other.copies);
        other.refused.forEach((state, count) -> refused.merge(state, count, Long::sum));
        if (translations.length < other.translations.length) {
            translations = Arrays.copyOf(translations, other.translations.length);
        }
        for (int i = 0; i < other.translations.length; i++) {
            translations[i] += other.translations[i];
        }
    }
}
