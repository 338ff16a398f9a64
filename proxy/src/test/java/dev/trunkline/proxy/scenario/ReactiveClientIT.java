package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.proxy.scenario.Tenants.Family;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** vertx-pg-client as a client: binary values, cached prepared statements, many statements in flight. */
class ReactiveClientIT extends Scenario {

    private final Vertx vertx = Vertx.vertx();

    @AfterAll
    void closeVertx() {
        Instance.await(vertx.close());
    }

    private PgConnection connect(boolean cached, int pipelining) {
        return Instance.await(PgConnection.connect(
                vertx,
                new PgConnectOptions()
                        .setHost(proxy().host())
                        .setPort(proxy().port())
                        .setDatabase(Deployment.DATABASE)
                        .setUser("app")
                        .setCachePreparedStatements(cached)
                        .setPipeliningLimit(pipelining)));
    }

    @ParameterizedTest
    @CsvSource({"false, 1", "true, 1", "false, 64", "true, 64"})
    void manyStatementsInFlightOnOneConnection(boolean cached, int pipelining) {
        PgConnection connection = connect(cached, pipelining);
        List<Family> families =
                List.of(tenants().family(0), tenants().family(1), tenants().family(2));
        List<Future<RowSet<Row>>> inserts = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            inserts.add(connection
                    .preparedQuery("INSERT INTO orders VALUES ($1, $2, $3)")
                    .execute(Tuple.of(families.get(i % 3).child(), (long) i, "n" + i)));
        }
        inserts.forEach(insert -> assertThat(Instance.await(insert).rowCount()).isEqualTo(1));
        List<Future<RowSet<Row>>> selects = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            selects.add(connection
                    .preparedQuery("SELECT note FROM orders WHERE tenant_id = $1 AND id = $2")
                    .execute(Tuple.of(families.get(i % 3).child(), (long) i)));
        }
        for (int i = 0; i < 60; i++) {
            assertThat(Instance.await(selects.get(i)).iterator().next().getString(0))
                    .isEqualTo("n" + i);
        }
        for (Family family : families) {
            assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).isEqualTo(onlyOn(family.shard(), 20));
        }
        Instance.await(connection.close());
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aFailureInFlightFailsItsOwnStatementAlone(boolean cached) {
        PgConnection connection = connect(cached, 64);
        Family family = tenants().family(1);
        String unknown = tenants().hashingTo(2);
        List<Future<RowSet<Row>>> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            String tenant = i % 3 == 1 ? unknown : family.child();
            String sql = i % 5 == 4
                    ? "SELECT count(*) FROM orders WHERE note <> $1 AND id > $2"
                    : "INSERT INTO orders (tenant_id, id) VALUES ($1, $2)";
            all.add(connection.preparedQuery(sql).execute(Tuple.of(tenant, (long) i)));
        }
        for (int i = 0; i < 30; i++) {
            int number = i;
            Future<String> outcome = all.get(i).map("ok").otherwise(failure -> ((PgException) failure).getSqlState());
            assertThat(Instance.await(outcome))
                    .as("statement %d", number)
                    .isEqualTo(i % 5 == 4 ? "0A000" : i % 3 == 1 ? "40001" : "ok");
        }
        Instance.await(connection.close());
    }

    @Test
    void aTransactionOfTheClient() {
        PgConnection connection = connect(true, 1);
        Family family = tenants().family(0);
        String fresh = tenants().hashingElsewhere(0);
        Instance.await(connection
                .begin()
                .compose(transaction -> connection
                        .preparedQuery("INSERT INTO orders VALUES ($1, 1, 'x')")
                        .execute(Tuple.of(family.child()))
                        .compose(inserted -> connection
                                .preparedQuery("INSERT INTO tenants (id, parent_tenant_id) VALUES ($1, $2)")
                                .execute(Tuple.of(fresh, family.parent())))
                        .compose(inserted -> transaction.commit())));
        Instance.await(connection
                .preparedQuery("INSERT INTO orders VALUES ($1, 1, 'x')")
                .execute(Tuple.of(fresh)));
        assertThat(counts("orders", "tenant_id IN ('%s', '%s')".formatted(family.child(), fresh)))
                .isEqualTo(onlyOn(0, 2));
        Instance.await(connection.close());
    }

    @Test
    void uuidsAndNumbersInBinary() {
        PgConnection connection = connect(true, 16);
        UUID device = UUID.randomUUID();
        backdoor()
                .execute("INSERT INTO accounts VALUES (177, 178); INSERT INTO devices VALUES ('%s', '%s')"
                        .formatted(device, UUID.randomUUID()));
        Instance.await(
                connection.preparedQuery("INSERT INTO ledger VALUES ($1, $2)").execute(Tuple.of(177L, 5)));
        Instance.await(
                connection.preparedQuery("INSERT INTO readings VALUES ($1, $2)").execute(Tuple.of(device, 5)));
        assertThat(counts("ledger", "account_id = 177")).containsOnlyOnce(1L);
        assertThat(counts("readings", "device_id = '" + device + "'")).containsOnlyOnce(1L);
        assertThat(Instance.await(connection
                                .preparedQuery("SELECT celsius FROM readings WHERE device_id = ANY($1)")
                                .execute(Tuple.of(new UUID[] {device})))
                        .size())
                .isEqualTo(1);
        Instance.await(connection.close());
    }
}
