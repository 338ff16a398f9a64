package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.fault.Cut;
import dev.trunkline.harness.fault.Direction;
import dev.trunkline.harness.fault.TcpRelay;
import dev.trunkline.harness.pg.Ports;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.proxy.fixture.Metrics;
import dev.trunkline.proxy.scenario.Tenants.Family;
import dev.trunkline.proxy.twophase.DecisionTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Two-phase commit: all shards or none, whatever is lost, and every answer true. Each shard is behind a relay. */
class TwoPhaseIT extends Scenario {

    private final List<TcpRelay> relays = new ArrayList<>();
    private final List<Family> families = new ArrayList<>();
    private final Map<LookupMiss, Integer> ports = new HashMap<>();

    @Override
    void prepare(Deployment deployment) {
        for (int shard = 0; shard < 3; shard++) {
            TcpRelay relay =
                    TcpRelay.to(deployment.shards().host(), deployment.shards().port(shard));
            relays.add(relay);
            deployment.reachShard(shard, relay.port());
        }
        deployment.shards().executeAll(DecisionTable.CREATE);
        deployment
                .shards()
                .executeAll("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " IF NEW.note = 'refuse' THEN RAISE EXCEPTION 'refused' USING ERRCODE = '23514'; END IF;"
                        + " RETURN NULL; END $$;"
                        + "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON orders DEFERRABLE INITIALLY DEFERRED"
                        + " FOR EACH ROW EXECUTE FUNCTION refuse()");
    }

    @Override
    Map<String, Object> settings(LookupMiss miss) {
        Map<String, Object> settings = new HashMap<>(super.settings(miss));
        settings.put("two_phase_commit", true);
        settings.put("two_phase_commit_auto", true);
        settings.put("openmetrics_port", ports.computeIfAbsent(miss, each -> Ports.free()));
        return settings;
    }

    @BeforeEach
    void families() {
        families.clear();
        for (int shard = 0; shard < 3; shard++) {
            families.add(tenants().family(shard));
        }
    }

    @AfterEach
    void thaw() {
        relays.forEach(relay -> relay.thaw(Direction.TO_CLIENT));
        relays.forEach(relay -> relay.thaw(Direction.TO_SERVER));
        await("nothing stays prepared", () -> prepared().stream().allMatch(count -> count == 0));
    }

    @AfterAll
    void closeRelays() {
        relays.forEach(TcpRelay::close);
    }

    /** Of both proxies together. */
    private double measured(String name) {
        return ports.values().stream()
                .mapToDouble(port -> Metrics.of(port).sum(name))
                .sum();
    }

    private List<Long> prepared() {
        return backdoor().longs("SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()");
    }

    private List<Long> orders() {
        String names = String.join("', '", families.stream().map(Family::child).toList());
        return counts("orders", "tenant_id IN ('" + names + "')");
    }

    private void write(Client client, int shard, String note) {
        client.run(
                        "INSERT INTO orders VALUES ($1, 1, '" + note + "')",
                        families.get(shard).child())
                .ok();
    }

    private static Stream<Arguments> crashPoints() {
        List<Arguments> points = new ArrayList<>();
        for (int shards = 2; shards <= 3; shards++) {
            for (Direction direction : Direction.values()) {
                for (int other = 0; other < shards - 1; other++) {
                    points.add(Arguments.of(shards, other, direction, "PREPARE TRANSACTION"));
                    points.add(Arguments.of(shards, other, direction, "COMMIT PREPARED"));
                }
                points.add(Arguments.of(shards, shards - 1, direction, "COMMIT"));
            }
            points.add(Arguments.of(shards, shards - 1, Direction.TO_SERVER, "INSERT INTO trunkline.decision"));
        }
        return points.stream();
    }

    /** The connection to one shard breaks before a message reaches it, or before its answer comes back. */
    @ParameterizedTest
    @MethodSource("crashPoints")
    @DisplayName("tp-commit-phase-retry: a shard is lost at any message of the commit")
    void aLostConnectionLeavesAllOrNothing(int shards, int lost, Direction direction, String message) {
        Client client = client(Protocol.EXTENDED);
        client.run("BEGIN").ok();
        for (int shard = 0; shard < shards; shard++) {
            write(client, shard, "x");
        }
        relays.get(lost).holdBefore(direction, message);
        client.send("COMMIT").push();
        relays.get(lost).awaitHold(direction);
        relays.get(lost).cutAll(Cut.RST);
        relays.get(lost).thaw(direction);
        Answer answer = client.answer();
        assertThat(answer.status()).isEqualTo('I');
        boolean told = answer.sqlState() == null;
        if (told) {
            assertThat(answer.tags()).containsExactly("COMMIT");
            assertThat(orders().subList(0, shards)).containsOnly(1L);
        } else {
            assertThat(answer.sqlState()).isIn("08006", "40003");
            assertThat(answer.tags()).isEmpty();
        }
        await("nothing stays prepared", () -> prepared().stream().allMatch(count -> count == 0));
        List<Long> stored = orders().subList(0, shards);
        assertThat(stored.stream().distinct())
                .as("on all shards or on none: %s", stored)
                .hasSize(1);
        if ("08006".equals(answer.sqlState())) {
            assertThat(stored).containsOnly(0L);
        }
        await(
                "the shard is reached again",
                () -> client.run(
                                        "SELECT 1 FROM orders WHERE tenant_id = $1",
                                        families.get(lost).child())
                                .sqlState()
                        == null);
    }

    /** The shard that is lost is not the one that is waited for. */
    @ParameterizedTest
    @MethodSource("others")
    void aShardThatIsLostWhileAnotherIsAskedLeavesAllOrNothing(int held, int lost, String message) {
        Client client = client(Protocol.EXTENDED);
        client.run("BEGIN").ok();
        for (int shard = 0; shard < 3; shard++) {
            write(client, shard, "x");
        }
        relays.get(held).holdBefore(Direction.TO_CLIENT, message);
        client.send("COMMIT").push();
        relays.get(held).awaitHold(Direction.TO_CLIENT);
        relays.get(lost).cutAll(Cut.RST);
        await("the shard knows", () -> sessions(lost, "state LIKE 'idle in transaction%'") == 0);
        // Somebody else reaches the shard again before the answer that is waited for is let through.
        client(Protocol.SIMPLE)
                .run(
                        "SELECT id FROM orders WHERE tenant_id = $1",
                        families.get(lost).parent());
        relays.get(held).thaw(Direction.TO_CLIENT);
        Answer answer = client.answer();
        assertThat(answer.status()).isEqualTo('I');
        await("nothing stays prepared", () -> prepared().stream().allMatch(count -> count == 0));
        if (answer.sqlState() == null) {
            assertThat(answer.tags()).containsExactly("COMMIT");
            assertThat(orders()).containsOnly(1L);
        } else {
            assertThat(answer.sqlState()).isEqualTo("08006");
            assertThat(orders()).containsOnly(0L);
        }
    }

    private static Stream<Arguments> others() {
        return Stream.of(
                Arguments.of(0, 2, "PREPARE TRANSACTION"),
                Arguments.of(1, 2, "PREPARE TRANSACTION"),
                Arguments.of(1, 0, "PREPARE TRANSACTION"),
                Arguments.of(2, 0, "COMMIT"),
                Arguments.of(2, 1, "COMMIT"),
                Arguments.of(1, 0, "COMMIT PREPARED"));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    @DisplayName("tp-prepare-fails")
    void whatOneShardRefusesAtCommitIsStoredOnNone(Protocol protocol) {
        for (int refusing = 0; refusing < 3; refusing++) {
            Client client = client(protocol);
            client.run("BEGIN").ok();
            for (int shard = 0; shard < 3; shard++) {
                write(client, shard, shard == refusing ? "refuse" : "x");
            }
            Answer answer = client.run("COMMIT");
            assertThat(answer.sqlState()).isEqualTo("23514");
            assertThat(answer.status()).isEqualTo('I');
            assertThat(answer.frames()).noneMatch(frame -> frame.type() == 'N');
            assertThat(orders()).containsOnly(0L);
            assertThat(prepared()).containsOnly(0L);
            assertThat(client.run("SELECT 1").ok().value()).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    @DisplayName("tp-extended-begin-commit")
    void everySpellingOfCommitTakesTwoPhases(Protocol protocol) {
        Client client = client(protocol);
        List<String> commits = List.of("END", "commit work", "/* the end */ COMMIT", "COMMIT AND CHAIN", "COMMIT");
        long number = 0;
        client.run("BEGIN").ok();
        for (String commit : commits) {
            number++;
            if (client.run("SELECT 1").ok().status() != 'T') {
                client.run("START TRANSACTION ISOLATION LEVEL SERIALIZABLE").ok();
            }
            for (int shard = 0; shard < 3; shard++) {
                client.run(
                                "INSERT INTO orders VALUES ($1, $2, 'x')",
                                families.get(shard).child(),
                                number)
                        .ok();
            }
            relays.get(0).holdBefore(Direction.TO_SERVER, "PREPARE TRANSACTION");
            client.send(commit).push();
            relays.get(0).awaitHold(Direction.TO_SERVER);
            relays.get(0).thaw(Direction.TO_SERVER);
            Answer answer = client.answer().ok();
            assertThat(answer.tags()).containsExactly("COMMIT");
            assertThat(orders()).containsOnly(number);
            assertThat(answer.status()).isEqualTo(commit.endsWith("CHAIN") ? 'T' : 'I');
            if (commit.endsWith("CHAIN")) {
                assertThat(client.run("SHOW transaction_isolation").ok().value())
                        .isEqualTo("serializable");
            }
        }
        assertThat(client.run("PREPARE TRANSACTION 'mine'").sqlState()).isEqualTo("0A000");
    }

    @Test
    @DisplayName("tp-only-writers-use-2pc")
    void oneWriterCommitsInOnePhase() {
        Client client = client(Protocol.EXTENDED);
        client.run("BEGIN").ok();
        for (int shard = 0; shard < 3; shard++) {
            client.run(
                            "SELECT id FROM orders WHERE tenant_id = $1",
                            families.get(shard).child())
                    .ok();
        }
        write(client, 1, "x");
        // If something were prepared this would hold it, and the commit with it.
        relays.forEach(relay -> relay.holdBefore(Direction.TO_SERVER, "PREPARE TRANSACTION"));
        assertThat(client.run("COMMIT").ok().tags()).containsExactly("COMMIT");
        assertThat(orders()).isEqualTo(onlyOn(1, 1));
    }

    @Test
    @DisplayName("tp-connection-failure-one-shard-at-begin")
    void aShardThatCannotBeReachedFailsTheBlockAndTheOthersAreFree() {
        Client client = client(Protocol.EXTENDED);
        client.run("BEGIN").ok();
        write(client, 0, "x");
        relays.get(1).refuse();
        relays.get(1).cutAll(Cut.RST);
        try {
            await("the block has failed", () -> {
                Answer answer = client.run(
                        "INSERT INTO orders VALUES ($1, 1, 'x')",
                        families.get(1).child());
                return answer.status() == 'E';
            });
            assertThat(client.run("ROLLBACK").ok().tags()).containsExactly("ROLLBACK");
        } finally {
            relays.get(1).accept();
        }
        assertThat(orders()).containsOnly(0L);
        assertThat(sessions(0, "state LIKE 'idle in transaction%'")).isZero();
    }

    @Test
    @DisplayName("tp-dirty-window-reads")
    void commitIsAnsweredWhenEveryShardHasCommitted() {
        Client writer = client(Protocol.EXTENDED);
        Client reader = client(Protocol.EXTENDED);
        for (int shard = 0; shard < 2; shard++) {
            reader.run(
                            "SELECT id FROM orders WHERE tenant_id = $1",
                            families.get(shard).child())
                    .ok();
        }
        writer.run("BEGIN").ok();
        write(writer, 0, "x");
        write(writer, 1, "x");
        relays.get(0).holdBefore(Direction.TO_SERVER, "COMMIT PREPARED");
        writer.send("COMMIT").push();
        relays.get(0).awaitHold(Direction.TO_SERVER);
        assertThat(measured("two_pc_committing")).isEqualTo(1);
        double committed = measured("total_xact_2pc_count");
        assertThat(orders()).isEqualTo(List.of(0L, 1L, 0L));
        assertThat(reader.run(
                                "SELECT id FROM orders WHERE tenant_id = $1",
                                families.get(1).child())
                        .ok()
                        .rows())
                .hasSize(1);
        relays.get(0).thaw(Direction.TO_SERVER);
        assertThat(writer.answer().ok().tags()).containsExactly("COMMIT");
        assertThat(measured("two_pc_committing")).isZero();
        assertThat(measured("total_xact_2pc_count")).isEqualTo(committed + 1);
        assertThat(writer.run(
                                "SELECT id FROM orders WHERE tenant_id = $1",
                                families.get(0).child())
                        .ok()
                        .rows())
                .hasSize(1);
    }

    /** Somebody has rolled it back by hand between the phases: that is not success. */
    @Test
    @DisplayName("tp-42704-is-not-success")
    void aPreparedTransactionThatIsGoneIsNoCommit() {
        Client client = client(Protocol.EXTENDED);
        client.run("BEGIN").ok();
        write(client, 0, "x");
        write(client, 1, "x");
        relays.get(0).holdBefore(Direction.TO_SERVER, "COMMIT PREPARED");
        client.send("COMMIT").push();
        relays.get(0).awaitHold(Direction.TO_SERVER);
        String gid =
                String.valueOf(shards().queryOne(0, "SELECT gid FROM pg_prepared_xacts WHERE gid LIKE 'trunkline:%'"));
        shards().execute(0, "ROLLBACK PREPARED '" + gid + "'");
        relays.get(0).thaw(Direction.TO_SERVER);
        Answer answer = client.answer();
        assertThat(answer.sqlState()).isEqualTo("40003");
        assertThat(detail(answer)).contains("does not exist");
        assertThat(answer.tags()).isEmpty();
        assertThat(client.run("SELECT 1").ok().value()).isEqualTo("1");
    }

    // ---- what other instances have left

    private void leaveBehind(String key, int shard, String orders) throws SQLException {
        try (Connection connection = shards().connect(shard);
                Statement statement = connection.createStatement()) {
            statement.execute("SET ROLE app");
            statement.execute("BEGIN");
            statement.execute(orders);
            statement.execute("PREPARE TRANSACTION '" + key + ":" + shard + "'");
        }
    }

    private String order(int shard) {
        return "INSERT INTO orders VALUES ('" + families.get(shard).child() + "', 1, 'left')";
    }

    @Test
    void whatADeadInstanceHasLeftIsEndedAsItWasDecided() throws SQLException {
        double recovered = measured("two_pc_recovered_total");
        String decided = "trunkline:dead:00000000000000aa:2";
        // The decision first: without it the next look would make another one.
        shards().execute(2, "INSERT INTO trunkline.decision (gid) VALUES ('" + decided + "'); " + order(2));
        leaveBehind(decided, 0, order(0));
        leaveBehind(decided, 1, order(1));
        await("it is committed", () -> orders().equals(List.of(1L, 1L, 1L)));
        String open = "trunkline:dead:00000000000000ab:2";
        leaveBehind(open, 0, order(0).replace(", 1, ", ", 2, "));
        await("it is rolled back", () -> prepared().stream().allMatch(count -> count == 0));
        assertThat(orders()).containsOnly(1L);
        assertThat(shards().queryOne(2, "SELECT outcome FROM trunkline.decision WHERE gid = '" + open + "'"))
                .isEqualTo("abort");
        await("both are counted", () -> measured("two_pc_recovered_total") >= recovered + 2);
    }

    /** A shard that says nothing holds up nothing that has to do with others. */
    @Test
    void aShardThatHangsDoesNotHoldUpRecovery() throws SQLException {
        relays.get(1).freeze(Direction.TO_CLIENT);
        String open = "trunkline:dead:00000000000000ad:2";
        leaveBehind(open, 0, order(0));
        await("it is rolled back", () -> prepared().get(0) == 0);
        assertThat(shards().queryOne(2, "SELECT outcome FROM trunkline.decision WHERE gid = '" + open + "'"))
                .isEqualTo("abort");
        relays.get(1).thaw(Direction.TO_CLIENT);
        String client = families.get(1).child();
        await(
                "the shard is reached again",
                () -> client(Protocol.SIMPLE)
                                .run("SELECT id FROM orders WHERE tenant_id = $1", client)
                                .sqlState()
                        == null);
    }

    /** A mapping that a dead instance had decided to change is translated by in the instance that brings it to its end. */
    @Test
    void aChangeOfAMappingThatIsRecoveredIsTranslatedBy() throws SQLException {
        Family family = families.get(0);
        Map<LookupMiss, Double> recovered = new HashMap<>();
        for (LookupMiss miss : LookupMiss.values()) {
            recovered.put(miss, recoveredBy(miss));
            instance(miss)
                    .client(Protocol.EXTENDED)
                    .run("INSERT INTO orders VALUES ($1, $2, 'x')", family.child(), (long) miss.ordinal())
                    .ok();
        }
        String order = "INSERT INTO orders VALUES ($1, $2, 'x')";
        String decided = "trunkline:dead:00000000000000ae:2";
        String change = "UPDATE tenants SET parent_tenant_id = '%s' WHERE id = '%s'"
                .formatted(families.get(1).parent(), family.child());
        leaveBehind(decided, 0, change);
        leaveBehind(decided, 1, change);
        shards().execute(2, "INSERT INTO trunkline.decision (gid) VALUES ('" + decided + "'); " + change);
        await("it is committed", () -> prepared().stream().allMatch(count -> count == 0));
        await(
                "it is counted",
                () -> recovered.entrySet().stream().anyMatch(each -> recoveredBy(each.getKey()) > each.getValue()));
        for (LookupMiss miss : LookupMiss.values()) {
            if (recoveredBy(miss) > recovered.get(miss)) {
                instance(miss)
                        .client(Protocol.EXTENDED)
                        .run(order, family.child(), 10L + miss.ordinal())
                        .ok();
            }
        }
        assertThat(counts("orders", "tenant_id = '" + family.child() + "' AND id >= 10")
                        .get(1))
                .isPositive();
    }

    private double recoveredBy(LookupMiss miss) {
        return Metrics.of(ports.get(miss)).sum("two_pc_recovered_total");
    }

    /** Until every shard has carried the decision out nobody is told, and nothing that is read meanwhile is kept. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aChangeOfAMappingIsPublishedAfterTheSecondPhase(LookupMiss miss) {
        Client writer = instance(miss).client(Protocol.EXTENDED);
        Client reader = instance(miss).client(Protocol.EXTENDED);
        Family family = families.get(0);
        String order = "INSERT INTO orders VALUES ($1, $2, 'x')";
        reader.run(order, family.child(), 1L).ok();
        relays.get(0).holdBefore(Direction.TO_SERVER, "COMMIT PREPARED");
        writer.send(
                        "UPDATE tenants SET parent_tenant_id = $1 WHERE id = $2",
                        families.get(1).parent(),
                        family.child())
                .push();
        relays.get(0).awaitHold(Direction.TO_SERVER);
        relays.get(0).thaw(Direction.TO_SERVER);
        writer.answer().ok();
        reader.run(order, family.child(), 2L).ok();
        assertThat(counts("orders", "tenant_id = '" + family.child() + "'")).containsExactly(1L, 1L, 0L);
    }

    @Test
    void whatALivingInstanceHasUnderWayIsLeftToIt() throws SQLException {
        String key = "trunkline:alive:00000000000000ac:1";
        try (Connection owner = shards().connect(1);
                Statement statement = owner.createStatement()) {
            // The lock of the instance called "alive".
            statement.execute(
                    "SELECT pg_advisory_lock(('x' || encode(substr(sha256('trunkline instance alive'::bytea), 1, 8),"
                            + " 'hex'))::bit(64)::bigint)");
            leaveBehind(key, 0, order(0));
            awaitLooks();
            assertThat(prepared()).isEqualTo(List.of(1L, 0L, 0L));
        }
        await("it is rolled back", () -> prepared().stream().allMatch(count -> count == 0));
        assertThat(orders()).containsOnly(0L);
    }

    /** Both proxies have looked at shard 0 once more, from the beginning of a look to its end. */
    private void awaitLooks() {
        for (int look = 0; look < 2; look++) {
            String now = String.valueOf(shards().queryOne(0, "SELECT clock_timestamp()"));
            // The last statement of a look.
            await(
                    "another look",
                    () -> sessions(
                                    0,
                                    "application_name = 'trunkline liveness' AND query LIKE '%decided_at <%' AND query_start > '"
                                            + now + "'")
                            == 2);
        }
    }

    @Test
    void preparedTransactionsOfOthersAreNotTouched() throws SQLException {
        leaveBehind("trunkline.of.somebody.else", 0, order(0));
        awaitLooks();
        assertThat(prepared()).isEqualTo(List.of(1L, 0L, 0L));
        shards().execute(0, "ROLLBACK PREPARED 'trunkline.of.somebody.else:0'");
    }

    /** Given up by another instance while the owner was slow: the owner cannot decide otherwise any more. */
    @Test
    void anOwnerThatIsSlowCannotCommitWhatWasGivenUp() {
        Client client = client(Protocol.EXTENDED);
        client.run("BEGIN").ok();
        write(client, 0, "x");
        write(client, 1, "x");
        relays.get(1).holdBefore(Direction.TO_SERVER, "INSERT INTO trunkline.decision");
        client.send("COMMIT").push();
        relays.get(1).awaitHold(Direction.TO_SERVER);
        String gid =
                String.valueOf(shards().queryOne(0, "SELECT gid FROM pg_prepared_xacts WHERE gid LIKE 'trunkline:%'"));
        String key = gid.substring(0, gid.lastIndexOf(':'));
        shards().execute(1, "INSERT INTO trunkline.decision (gid, outcome) VALUES ('" + key + "', 'abort')");
        relays.get(1).thaw(Direction.TO_SERVER);
        Answer answer = client.answer();
        assertThat(answer.sqlState()).isEqualTo("23505");
        assertThat(answer.status()).isEqualTo('I');
        assertThat(orders()).containsOnly(0L);
    }

    @Test
    void decisionsThatAreCarriedOutAreForgotten() {
        Client client = client(Protocol.EXTENDED);
        client.run("BEGIN").ok();
        for (int shard = 0; shard < 3; shard++) {
            write(client, shard, "x");
        }
        client.run("COMMIT").ok();
        await(
                "no decision is left",
                () -> backdoor().longs("SELECT count(*) FROM trunkline.decision WHERE outcome = 'commit'").stream()
                        .allMatch(count -> count == 0));
    }
}
