package dev.trunkline.proxy.metrics;

import dev.trunkline.lookup.LookupStatus;
import dev.trunkline.proxy.engine.RouteCounters;
import dev.trunkline.proxy.measure.Measure;
import dev.trunkline.proxy.measure.Timing;
import dev.trunkline.proxy.pool.PoolView;
import dev.trunkline.proxy.pool.ServerView;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * The state of the process as a page for people: whole without JavaScript, and renewed every two seconds with it. It
 * holds no resource of another place, and nothing that is secret.
 */
final class StatusPage {

    private static final String HEAD = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Trunkline</title>
            <meta name="viewport" content="width=device-width">
            <style>
            body{font:14px/1.4 system-ui,sans-serif;margin:2rem;color:#1c2430;background:#fafbfc}
            h1{font-size:1.3rem;margin:0 0 .2rem}h2{font-size:1rem;margin:1.6rem 0 .4rem}
            table{border-collapse:collapse;background:#fff;box-shadow:0 0 0 1px #dfe4ea}
            th,td{padding:.3rem .7rem;text-align:right;border-bottom:1px solid #eef1f4;white-space:nowrap}
            th{color:#566273;font-weight:600;background:#f3f5f8}
            td.n,th.n{text-align:left}.bad{color:#b3261e;font-weight:600}.good{color:#1b6e3c;font-weight:600}
            p{margin:.2rem 0;color:#566273}
            </style></head><body>
            """;

    private static final String TAIL = """
            <script>
            setInterval(async()=>{try{const r=await fetch(location.href);const d=new DOMParser()
            .parseFromString(await r.text(),"text/html");document.querySelector("main")
            .replaceWith(d.querySelector("main"))}catch(e){}},2000)
            </script></body></html>
            """;

    private final Observation seen;
    private final long nanos;
    private final StringBuilder out = new StringBuilder(8_192);

    private StatusPage(Observation seen, long nanos) {
        this.seen = seen;
        this.nanos = nanos;
    }

    /**
     * The page.
     *
     * @param nanos the present moment
     */
    static String of(Observation seen, long nanos) {
        StatusPage page = new StatusPage(seen, nanos);
        page.out.append(HEAD).append("<main>\n");
        page.summary();
        page.pools();
        page.times();
        page.statements();
        page.lookups();
        page.out.append("</main>\n").append(TAIL);
        return page.out.toString();
    }

    private void summary() {
        boolean ready = Health.isReady(seen);
        out.append("<h1>Trunkline</h1><p>")
                .append(ready ? "<span class=\"good\">serving</span>" : "<span class=\"bad\">not ready</span>")
                .append(seen.isDraining() ? ", draining" : "")
                .append(", ")
                .append(seen.clientCount())
                .append(" clients, ")
                .append(seen.pools().stream()
                        .mapToInt(pool -> pool.servers().size())
                        .sum())
                .append(" server connections</p>\n");
    }

    private void pools() {
        begin(
                "Pools",
                List.of("database", "user", "shard", "server"),
                List.of(
                        "size",
                        "active",
                        "idle",
                        "idle in transaction",
                        "waiting",
                        "longest wait",
                        "queries/s",
                        "transactions/s",
                        "query time",
                        "errors/s",
                        "state"));
        for (PoolView pool : seen.pools()) {
            names(
                    pool.key().database(),
                    pool.key().user(),
                    Integer.toString(pool.key().shard()),
                    pool.address().host() + ":" + pool.address().port());
            cell(pool.limits().size());
            cell(pool.count(ServerView.State.ACTIVE));
            cell(pool.idle());
            cell(pool.count(ServerView.State.IDLE_IN_TRANSACTION));
            cell(pool.waiting());
            cell(millis(pool.longestWaitNanos() / 1e6));
            cell(average(pool, Measure.QUERY_COUNT));
            cell(average(pool, Measure.XACT_COUNT));
            cell(millis(average(pool, Measure.QUERY_TIME) / 1e3));
            cell(average(pool, Measure.ERRORS));
            state(pool);
        }
        end();
    }

    private void state(PoolView pool) {
        String state =
                pool.isBanned() ? "banned" : !pool.isReachable() ? "unreachable" : pool.isPaused() ? "paused" : "up";
        out.append("<td class=\"")
                .append(pool.isReachable() && !pool.isBanned() ? "good" : "bad")
                .append("\">")
                .append(state)
                .append("</td></tr>\n");
    }

    private long average(PoolView pool, Measure measure) {
        return seen.averages().of(pool, measure, nanos);
    }

    private void times() {
        begin("Times", List.of("database", "of"), List.of("count", "median", "95 %", "99 %", "99.9 %", "longest"));
        seen.timings().forEach((database, timings) -> {
            for (Timing timing : Timing.values()) {
                Histogram histogram = timings.of(timing);
                names(database, timing.name().toLowerCase(Locale.ROOT));
                cell(histogram.getTotalCount());
                for (double percentile : new double[] {50, 95, 99, 99.9, 100}) {
                    cell(millis(histogram.getValueAtPercentile(percentile) / 1e3));
                }
                out.append("</tr>\n");
            }
        });
        end();
    }

    private void statements() {
        begin("Statements", List.of("database"), List.of("one shard", "several shards", "refused"));
        seen.routes().forEach((database, counters) -> {
            names(database);
            cell(counters.directCount());
            cell(counters.crossCount());
            cell(counters.refusedCounts().values().stream()
                    .mapToLong(Long::longValue)
                    .sum());
            out.append("</tr>\n");
        });
        end();
    }

    private void lookups() {
        begin(
                "Lookup maps",
                List.of("database", "table", "column", "state"),
                List.of(
                        "entries",
                        "bytes",
                        "age",
                        "loads",
                        "hits",
                        "misses",
                        "no row",
                        "timeouts",
                        "invalidations",
                        "error"));
        seen.lookups().forEach((database, maps) -> {
            RouteCounters counters = seen.routes().get(database);
            for (int i = 0; i < maps.size(); i++) {
                lookup(maps.get(i), counters == null ? 0 : counters.translations(i));
            }
        });
        end();
    }

    private void lookup(LookupStatus map, long asked) {
        names(
                map.database(),
                map.table(),
                map.column(),
                map.state().name().toLowerCase(Locale.ROOT) + (map.paused() ? ", writes paused" : ""));
        cell(map.entries());
        cell(map.bytes());
        cell(map.ageMillis() < 0 ? "" : map.ageMillis() / 1_000 + " s");
        cell(map.loads());
        cell(Math.max(0, asked - map.misses()));
        cell(map.misses());
        cell(map.unmapped());
        cell(map.timeouts());
        cell(map.invalidations());
        cell(map.lastError() == null ? "" : map.lastError());
        out.append("</tr>\n");
    }

    // ---- HTML

    private void begin(String title, List<String> names, List<String> numbers) {
        out.append("<h2>").append(title).append("</h2>\n<table><tr>");
        names.forEach(name -> out.append("<th class=\"n\">").append(name).append("</th>"));
        numbers.forEach(name -> out.append("<th>").append(name).append("</th>"));
        out.append("</tr>\n");
    }

    private void end() {
        out.append("</table>\n");
    }

    private void names(String... values) {
        out.append("<tr>");
        for (String value : values) {
            out.append("<td class=\"n\">").append(escape(value)).append("</td>");
        }
    }

    private void cell(long value) {
        cell(String.format(Locale.ROOT, "%,d", value));
    }

    private void cell(String value) {
        out.append("<td>").append(escape(value)).append("</td>");
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, millis < 10 ? "%.2f ms" : "%.0f ms", millis);
    }

    private static String escape(String value) {
        return value.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
