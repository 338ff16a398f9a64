package dev.trunkline.proxy.admin;

import dev.trunkline.proxy.engine.ClientView;
import dev.trunkline.proxy.listen.ChannelView;
import dev.trunkline.proxy.measure.Measure;
import dev.trunkline.proxy.metrics.Observation;
import java.util.List;
import java.util.Map;

/** SHOW CLIENTS and TRANSACTIONS. Times are milliseconds with three decimals. */
final class ClientTables {

    static final List<String> CLIENTS = List.of(
            "id",
            "user",
            "database",
            "addr",
            "port",
            "state",
            "replication",
            "connect_time",
            "last_request",
            "queries",
            "transactions",
            "transactions_2pc",
            "wait_time",
            "query_time",
            "transaction_time",
            "bytes_received",
            "bytes_sent",
            "errors",
            "application_name",
            "locked",
            "prepared_statements");

    static final List<String> TRANSACTIONS = List.of("database", "user", "transaction_name", "transaction_state");

    static final List<String> LISTENERS =
            List.of("database", "user", "shard", "channel", "listeners", "received", "dropped");

    private ClientTables() {}

    static Table listeners(Map<String, List<ChannelView>> seen) {
        Table.Builder table = new Table.Builder(LISTENERS);
        seen.forEach((database, channels) -> channels.forEach(each -> table.row(
                database,
                each.user(),
                each.shard(),
                each.channel(),
                each.listeners(),
                each.received(),
                each.dropped())));
        return table.build();
    }

    static Table clients(Observation seen) {
        Table.Builder table = new Table.Builder(CLIENTS);
        for (ClientView client : seen.clients()) {
            table.row(
                    client.id(),
                    client.user(),
                    client.database(),
                    client.address(),
                    client.port(),
                    client.state().label(),
                    "none",
                    Moments.ago(client.connectedNanos()),
                    Moments.ago(client.requestNanos()),
                    client.counters().get(Measure.QUERY_COUNT),
                    client.counters().get(Measure.XACT_COUNT),
                    client.counters().get(Measure.XACT_2PC_COUNT),
                    millis(client, Measure.WAIT_TIME),
                    millis(client, Measure.QUERY_TIME),
                    millis(client, Measure.XACT_TIME),
                    client.counters().get(Measure.RECEIVED),
                    client.counters().get(Measure.SENT),
                    client.counters().get(Measure.ERRORS),
                    client.applicationName(),
                    client.isPinned(),
                    client.prepared());
        }
        return table.build();
    }

    private static String millis(ClientView client, Measure measure) {
        return String.format(java.util.Locale.ROOT, "%.3f", client.counters().get(measure) / 1e6);
    }

    /** Those that are being committed in two phases. */
    static Table transactions(Observation seen) {
        Table.Builder table = new Table.Builder(TRANSACTIONS);
        seen.transactions()
                .forEach((database, transactions) ->
                        transactions.committing().forEach(name -> table.row(database, "", name, "committing")));
        return table.build();
    }
}
