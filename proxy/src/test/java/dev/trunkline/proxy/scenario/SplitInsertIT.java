package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.WireClient;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An INSERT whose rows belong to several shards: each row reaches its own, all of them or none. */
class SplitInsertIT extends Scenario {

    private String zero = "";
    private String one = "";
    private String two = "";

    @BeforeEach
    void freshTenants() {
        zero = tenants().family(0).child();
        one = tenants().family(1).child();
        two = tenants().family(2).child();
    }

    private List<Long> orders() {
        return counts("orders", "tenant_id IN ('%s', '%s', '%s')".formatted(zero, one, two));
    }

    @EveryWay
    void eachRowReachesItsShard(Way way) {
        Client client = client(way);
        Answer answer = client.run(
                        "INSERT INTO orders (note, tenant_id, id) VALUES ($4, $1, 1), ('two', $3, 1), ($4, $1, 2),"
                                + " (upper($5), $2, 1 + 1)",
                        zero,
                        one,
                        two,
                        "zero",
                        "one")
                .ok();
        assertThat(answer.tags()).containsExactly("INSERT 0 4");
        assertThat(answer.status()).isEqualTo('I');
        assertThat(orders()).containsExactly(2L, 1L, 1L);
        assertThat(counts("orders", "tenant_id = '" + one + "' AND note = 'ONE' AND id = 2"))
                .isEqualTo(onlyOn(1, 1));
        assertThat(client.run("INSERT INTO orders VALUES ($1, 3), ($2, 3)", zero, two)
                        .ok()
                        .tags())
                .containsExactly("INSERT 0 2");
        assertThat(orders()).containsExactly(3L, 1L, 2L);
    }

    @EveryWay
    void keysThatNobodyHasSeenAreVerified(Way way) {
        Client client = client(way);
        String known = zero;
        String unmapped = tenants().hashingTo(1);
        Answer refused = client.run("INSERT INTO orders VALUES ($1, 1), ($2, 1)", known, unmapped);
        assertThat(refused.sqlState()).isEqualTo("40001");
        assertThat(orders()).containsOnly(0L);
        tenants().add(unmapped, null);
        client.run("INSERT INTO orders VALUES ($1, 1), ($2, 1)", known, unmapped)
                .ok();
        assertThat(counts("orders", "tenant_id = '" + unmapped + "'")).isEqualTo(onlyOn(1, 1));
        assertThat(orders()).containsExactly(1L, 0L, 0L);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void rowsAreReturnedInTheOrderOfTheList(Protocol protocol) {
        Client client = client(protocol);
        for (int round = 0; round < 3; round++) {
            Answer answer = client.run(
                            "INSERT INTO orders AS o VALUES ($1, $4, 'a'), ($2, $4, 'b'), ($3, $4, 'c'), ($1, $5, 'd')"
                                    + " RETURNING o.note, id, $6::text",
                            zero,
                            one,
                            two,
                            (long) round,
                            100L + round,
                            "ä")
                    .ok();
            assertThat(answer.rows().stream().map(row -> String.join("|", row)))
                    .containsExactly(
                            "a|" + round + "|ä", "b|" + round + "|ä", "c|" + round + "|ä", "d|" + (100 + round) + "|ä");
            assertThat(answer.tags()).containsExactly("INSERT 0 4");
            assertThat(answer.frames().stream()
                            .filter(frame -> frame.type() == 'T')
                            .count())
                    .isEqualTo(protocol == Protocol.PREPARED ? 0 : 1);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void whatIsThereIsUpdatedOrLeft(Protocol protocol) {
        Client client = client(protocol);
        client.run("INSERT INTO orders VALUES ($1, 1, 'old'), ($2, 1, 'old')", zero, two)
                .ok();
        assertThat(client.run(
                                "INSERT INTO orders AS o VALUES ($1, 1, 'new'), ($2, 1, 'new'), ($3, 1, 'new')"
                                        + " ON CONFLICT (tenant_id, id) DO UPDATE SET note = o.note || excluded.note",
                                zero,
                                one,
                                two)
                        .ok()
                        .tags())
                .containsExactly("INSERT 0 3");
        assertThat(counts("orders", "note = 'oldnew' AND tenant_id IN ('" + zero + "', '" + two + "')"))
                .containsExactly(1L, 0L, 1L);
        assertThat(client.run(
                                "INSERT INTO orders VALUES ($1, 1), ($2, 1), ($2, 2), ($3, 3) ON CONFLICT DO NOTHING",
                                zero,
                                one,
                                two)
                        .ok()
                        .tags())
                .containsExactly("INSERT 0 2");
        // A shard that returns no row for one of its own is passed over in the end.
        assertThat(client.run(
                                "INSERT INTO orders VALUES ($1, 1), ($2, 4), ($3, 4), ($1, 4), ($3, 5)"
                                        + " ON CONFLICT DO NOTHING RETURNING tenant_id || '/' || id",
                                zero,
                                one,
                                two)
                        .ok()
                        .sortedRows())
                .containsExactlyInAnyOrder(one + "/4", two + "/4", zero + "/4", two + "/5");
    }

    /** Rows that are too large to be passed on whole. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void largeRowsAreReturnedInTheOrderOfTheList(Protocol protocol) {
        Client client = client(protocol);
        Answer answer = client.run(
                        "INSERT INTO orders VALUES ($1, 1, 'a'), ($2, 1, 'b'), ($3, 1, 'c'), ($2, 2, 'd'), ($1, 2, 'e')"
                                + " RETURNING repeat(note, 3000000)",
                        zero,
                        one,
                        two)
                .ok();
        assertThat(answer.rows().stream().map(row -> row.get(0).substring(2_999_999)))
                .containsExactly("a", "b", "c", "d", "e");
        assertThat(answer.rows()).allSatisfy(row -> assertThat(row.get(0)).hasSize(3_000_000));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void anErrorOnOneShardUndoesAll(Protocol protocol) {
        Client client = client(protocol);
        client.run("INSERT INTO orders VALUES ($1, 1)", one).ok();
        Answer failed = client.run("INSERT INTO orders VALUES ($1, 1), ($2, 1), ($3, 1)", zero, one, two);
        assertThat(failed.sqlState()).isEqualTo("23505");
        assertThat(failed.status()).isEqualTo('I');
        assertThat(failed.frames().stream().filter(frame -> frame.type() == 'E').count())
                .isEqualTo(1);
        assertThat(orders()).containsExactly(0L, 1L, 0L);
        assertThat(client.run("SELECT 1").ok().value()).isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void anErrorIsPlacedInTheClientsText(Protocol protocol) {
        Client client = client(protocol);
        String sql =
                "INSERT INTO orders VALUES ('%s', 1, 'ä€'), ('%s', 1, 'é'), ('%s', 1, nope)".formatted(zero, one, two);
        Answer failed = client.run(sql);
        assertThat(failed.sqlState()).isEqualTo("42703");
        assertThat(failed.field('P')).isEqualTo(String.valueOf(sql.indexOf("nope") + 1));
        Answer second = client.wire()
                .simple("SELECT 'ö'; INSERT INTO events VALUES (1, 'x'), (2, 'x'), (3, 'x'), (4, 1 + 'ü')");
        assertThat(second.sqlState()).isEqualTo("22P02");
        assertThat(second.field('P')).isEqualTo("77");
        assertThat(counts("events", "id < 5")).containsOnly(0L);
    }

    /** What it refuses in a list of rows, it would take in some of the parts. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aListThatPostgreSqlRefusesIsRefused(Protocol protocol) {
        Client client = client(protocol);
        Answer lengths = client.run("INSERT INTO orders VALUES ($1, 1), ($2, 1, 'x')", zero, two);
        assertThat(lengths.sqlState()).isEqualTo("42601");
        assertThat(lengths.message()).isEqualTo("VALUES lists must all be the same length");
        Answer sets = client.run("INSERT INTO orders VALUES ($1, generate_series(1, 3)), ($2, 1)", zero, two);
        assertThat(sets.sqlState()).isEqualTo("0A000");
        assertThat(sets.message()).isEqualTo("set-returning functions are not allowed in VALUES");
        assertThat(orders()).containsOnly(0L);
        client.run("BEGIN").ok();
        client.run("INSERT INTO orders VALUES ($1, abs(-1)), ($2, 1)", zero, two)
                .ok();
        client.run("INSERT INTO orders VALUES ($1, 2), ($2, 2, 'x')", zero, two);
        assertThat(client.run("COMMIT").ok().tags()).containsExactly("ROLLBACK");
        assertThat(orders()).containsOnly(0L);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void plainKeysAreSplitAsWell(Protocol protocol) {
        Client client = client(protocol);
        long first = 1_000_000L + 100 * protocol.ordinal();
        StringBuilder sql = new StringBuilder("INSERT INTO events (note, id) VALUES");
        List<Object> values = new ArrayList<>();
        for (int row = 0; row < 50; row++) {
            values.add("n" + row);
            values.add(first + row);
            sql.append(row == 0 ? " (" : ", (").append("$" + (2 * row + 1) + ", $" + (2 * row + 2) + ")");
        }
        assertThat(client.run(sql.toString(), values.toArray()).ok().tags()).containsExactly("INSERT 0 50");
        List<Long> found = counts("events", "id BETWEEN " + first + " AND " + (first + 49));
        assertThat(found).doesNotContain(0L);
        assertThat(found.stream().mapToLong(Long::longValue).sum()).isEqualTo(50);
    }

    // ---- in transactions

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aBlockKeepsOrUndoesAllOfIt(Protocol protocol) {
        Client client = client(protocol);
        client.run("BEGIN").ok();
        client.run("INSERT INTO orders VALUES ($1, 1), ($2, 1)", zero, two).ok();
        client.run("SAVEPOINT s").ok();
        client.run("INSERT INTO orders VALUES ($1, 2), ($2, 2)", zero, two).ok();
        client.run("ROLLBACK TO s").ok();
        client.run("INSERT INTO orders VALUES ($1, 3)", two).ok();
        assertThat(client.run("COMMIT").ok().tags()).containsExactly("COMMIT");
        assertThat(orders()).containsExactly(1L, 0L, 2L);
        client.run("BEGIN").ok();
        client.run("INSERT INTO orders VALUES ($1, 1), ($2, 4), ($3, 4)", one, zero, two)
                .ok();
        client.run("ROLLBACK").ok();
        assertThat(orders()).containsExactly(1L, 0L, 2L);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aBlockWritesTheShardsThatItNeedsOneAfterTheOther(Protocol protocol) {
        Client client = client(protocol);
        client.run("BEGIN").ok();
        client.run("INSERT INTO orders VALUES ($1, 1)", one).ok();
        client.run("INSERT INTO orders VALUES ($1, 1), ($2, 2)", zero, one).ok();
        client.run("INSERT INTO orders VALUES ($1, 1)", two).ok();
        client.run("ROLLBACK").ok();
        assertThat(orders()).containsOnly(0L);
        client.run("BEGIN").ok();
        client.run("INSERT INTO orders VALUES ($1, 1), ($2, 1)", zero, one).ok();
        client.run("INSERT INTO orders VALUES ($1, 1)", two).ok();
        client.run("COMMIT").ok();
        assertThat(orders()).containsOnly(1L);
    }

    @Test
    void aStringOfStatementsIsOneTransaction() {
        WireClient wire = client(Protocol.SIMPLE).wire();
        String insert = "INSERT INTO orders VALUES ('%s', 1), ('%s', 1)".formatted(zero, two);
        assertThat(wire.simple(insert + "; SELECT 1/0").sqlState()).isEqualTo("22012");
        assertThat(orders()).containsOnly(0L);
        assertThat(wire.simple(insert + "; SELECT 1").ok().tags()).containsExactly("INSERT 0 2", "SELECT 1");
        assertThat(orders()).containsExactly(1L, 0L, 1L);
    }

    @Test
    void aPipelineIsOneTransactionPerSync() {
        WireClient wire = client(Protocol.EXTENDED).wire();
        String insert = "INSERT INTO orders VALUES ($1, 1), ($2, 1)";
        Answer failed = wire.parse("s", insert)
                .bind("", "s", zero, one)
                .execute("")
                .parse("", "SELECT 1/0")
                .bind("", "")
                .execute("")
                .sync()
                .answer();
        assertThat(failed.sqlState()).isEqualTo("22012");
        assertThat(orders()).containsOnly(0L);
        // The unnamed statement is the client's own, whatever ran in between.
        Answer done = wire.parse("", insert)
                .bind("", "s", zero, one)
                .execute("")
                .bind("", "", zero, one)
                .sync()
                .answer();
        assertThat(done.ok().tags()).containsExactly("INSERT 0 2");
        assertThat(orders()).containsExactly(1L, 1L, 0L);
    }

    // ---- drivers

    /** With this setting pgjdbc makes INSERTs of many rows of a batch. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void rewrittenBatches(Mode mode) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(proxy().url("reWriteBatchedInserts=true&" + mode.parameters));
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO orders (tenant_id, id, note) VALUES (?, ?, ?)")) {
            for (int round = 0; round < 7; round++) {
                for (int row = 0; row < 33; row++) {
                    insert.setString(1, row % 3 == 0 ? zero : row % 3 == 1 ? one : two);
                    insert.setLong(2, 100L * round + row);
                    insert.setString(3, row % 5 == 0 ? null : "n" + row);
                    insert.addBatch();
                }
                assertThat(insert.executeBatch()).hasSize(33);
            }
            assertThat(orders()).containsOnly(77L);
        }
    }

    private enum Mode {
        SIMPLE("preferQueryMode=simple"),
        EXTENDED("prepareThreshold=0"),
        PREPARED("prepareThreshold=1"),
        BINARY("prepareThreshold=-1");

        private final String parameters;

        Mode(String parameters) {
            this.parameters = parameters;
        }
    }

    @Test
    void generatedKeysAreThoseOfAllRows() throws SQLException {
        String sql = "INSERT INTO orders VALUES (?, 1, 'x'), (?, 2, 'x'), (?, 3, 'x')";
        try (Connection connection = DriverManager.getConnection(proxy().url("prepareThreshold=2"));
                PreparedStatement insert = connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
            insert.setString(1, zero);
            insert.setString(2, one);
            insert.setString(3, two);
            assertThat(insert.executeUpdate()).isEqualTo(3);
            List<String> keys = new ArrayList<>();
            try (ResultSet rows = insert.getGeneratedKeys()) {
                while (rows.next()) {
                    keys.add(rows.getString("tenant_id") + rows.getInt("id"));
                }
            }
            assertThat(keys).containsExactly(zero + 1, one + 2, two + 3);
        }
    }
}
