package dev.trunkline.proxy.admin;

import dev.trunkline.proxy.engine.CopyView;
import dev.trunkline.proxy.metrics.Observation;
import java.util.List;

/** SHOW COPIES: COPY FROM STDIN over several shards that is running, a row for each shard. */
final class CopyTables {

    static final List<String> COPIES = List.of(
            "id", "database", "user", "table", "format", "state", "shard", "rows", "bytes", "started_at", "elapsed_ms");

    private CopyTables() {}

    static Table copies(Observation seen) {
        Table.Builder table = new Table.Builder(COPIES);
        seen.routes()
                .forEach((database, counters) -> counters.copies()
                        .views()
                        .forEach(copy -> copy.shards().forEach(share -> row(table, database, copy, share))));
        return table.build();
    }

    private static void row(Table.Builder table, String database, CopyView copy, CopyView.Share share) {
        table.row(
                copy.client(),
                database,
                copy.user(),
                copy.table(),
                copy.format(),
                copy.state(),
                share.shard(),
                share.rows() < 0 ? null : share.rows(),
                share.bytes(),
                Moments.ago(copy.runningNanos()),
                copy.runningNanos() / 1_000_000);
    }
}
