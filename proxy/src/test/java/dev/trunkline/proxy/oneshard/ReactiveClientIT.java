package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.PreparedStatement;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** vertx-pg-client, which pipelines its commands and keeps its prepared statements; two clients over one connection. */
@Shards(1)
@WithProxy
class ReactiveClientIT {

    private static final Vertx VERTX = Vertx.vertx();

    private final PgConnectOptions options;

    ReactiveClientIT(TestProxy proxy) {
        options = new PgConnectOptions()
                .setHost(proxy.host())
                .setPort(proxy.port())
                .setDatabase(TestProxy.DATABASE)
                .setUser(PgShards.APP)
                .setCachePreparedStatements(true)
                .setPipeliningLimit(64);
    }

    @AfterAll
    static void close() {
        await(VERTX.close());
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(15, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private PgConnection connect() {
        return await(PgConnection.connect(VERTX, options));
    }

    @Test
    void pipelinesItsStatements() {
        PgConnection one = connect();
        PgConnection two = connect();
        List<Future<RowSet<Row>>> answers = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            PgConnection client = i % 2 == 0 ? one : two;
            answers.add(
                    switch (i % 3) {
                        case 0 -> client.query("SELECT " + i).execute();
                        case 1 -> client.preparedQuery("SELECT $1::int").execute(Tuple.of(i));
                        default ->
                            client.preparedQuery("SELECT $1::int + 0 * " + i % 10)
                                    .execute(Tuple.of(i));
                    });
        }
        for (int i = 0; i < answers.size(); i++) {
            assertThat(await(answers.get(i)).iterator().next().getInteger(0)).isEqualTo(i);
        }
        await(one.close());
        await(two.close());
    }

    @Test
    void goesOnBehindErrorsInItsPipeline() {
        PgConnection client = connect();
        List<Future<RowSet<Row>>> answers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            answers.add(client.preparedQuery("SELECT 10 / $1::int").execute(Tuple.of(i % 3)));
            answers.add(client.query(i % 5 == 0 ? "SELECT nowhere" : "SELECT 7").execute());
        }
        for (int i = 0; i < 60; i++) {
            Future<RowSet<Row>> division = answers.get(2 * i);
            Future<RowSet<Row>> simple = answers.get(2 * i + 1);
            assertThat(state(division)).isEqualTo(i % 3 == 0 ? "22012" : "");
            assertThat(state(simple)).isEqualTo(i % 5 == 0 ? "42703" : "");
        }
        await(client.close());
    }

    private static String state(Future<?> future) {
        await(future.otherwiseEmpty());
        return future.cause() instanceof PgException fault ? fault.getSqlState() : "";
    }

    @Test
    void readsByCursorInATransaction() {
        PgConnection client = connect();
        int sum = await(client.begin()
                .compose(transaction -> client.prepare("SELECT generate_series(1, $1)")
                        .compose(statement -> sum(statement)
                                .compose(total -> statement.close().map(total)))
                        .compose(total -> transaction.commit().map(total))));
        assertThat(sum).isEqualTo(5_050);
        await(client.close());
    }

    private static Future<Integer> sum(PreparedStatement statement) {
        var cursor = statement.cursor(Tuple.of(100));
        return next(cursor, 0).compose(total -> cursor.close().map(total));
    }

    private static Future<Integer> next(io.vertx.sqlclient.Cursor cursor, int before) {
        return cursor.read(30).compose(rows -> {
            int sum = before;
            for (Row row : rows) {
                sum += row.getInteger(0);
            }
            return cursor.hasMore() ? next(cursor, sum) : Future.succeededFuture(sum);
        });
    }

    @Test
    void sendsBatchesAndCancels() {
        PgConnection client = connect();
        await(client.query("CREATE TEMP TABLE r (a int)").execute());
        List<Tuple> batch = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            batch.add(Tuple.of(i));
        }
        await(client.preparedQuery("INSERT INTO r VALUES ($1)").executeBatch(batch));
        assertThat(await(client.query("SELECT count(*) FROM r").execute())
                        .iterator()
                        .next()
                        .getLong(0))
                .isEqualTo(1_000);
        Future<RowSet<Row>> sleeping = client.query("SELECT pg_sleep(20)").execute();
        TestProxy.await("it is cancelled", () -> {
            await(client.cancelRequest());
            return sleeping.isComplete();
        });
        assertThat(state(sleeping)).isEqualTo("57014");
        await(client.close());
    }
}
