package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.fault.FakeServer;
import dev.trunkline.harness.fault.Scripted;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Uses of session state that have broken poolers before, each under the name of its case; {@code docs/cases.md} lists
 * them. Two clients, A and B, take turns on one server connection.
 */
@Shards(1)
@WithProxy
class StateCasesIT {

    private final PgShards shards;
    private final TestProxy proxy;
    private WireClient a;
    private WireClient b;

    StateCasesIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
        a = proxy.login();
        b = proxy.login();
    }

    @BeforeEach
    void table() {
        shards.execute(
                0, "CREATE TABLE IF NOT EXISTS public.u (i int); GRANT ALL ON public.u TO PUBLIC; TRUNCATE public.u");
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    private static @Nullable String show(WireClient who, String name) {
        return who.simple("SHOW " + name).ok().value();
    }

    private static @Nullable String value(WireClient who, String sql) {
        return who.simple(sql).ok().value();
    }

    private void endServerConnections() {
        shards.execute(
                0, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + PgShards.APP + "'");
    }

    private WireClient loginWith(String... parameters) {
        WireClient fresh = proxy.connect().send(startup(parameters));
        return fresh.expect("R 0").ready();
    }

    private static Frame startup(String... parameters) {
        Map<String, String> startup = new LinkedHashMap<>();
        startup.put("user", PgShards.APP);
        startup.put("database", TestProxy.DATABASE);
        for (int i = 0; i < parameters.length; i += 2) {
            startup.put(parameters[i], parameters[i + 1]);
        }
        return Frontend.startup(Frontend.PROTOCOL_3_0, startup);
    }

    @Test
    @DisplayName("ss-invalid-set-desync")
    void aWrongValueIsOneErrorAndNoMore() {
        a.parse("", "SELECT 1").bind("", "").execute("").sync();
        a.query("SET lock_timeout TO sdf").query("SELECT 2");
        a.expect("1", "2", "D 1", "C SELECT 1", "Z I", "E 22023", "Z I", "T", "D 2", "C SELECT 1", "Z I");
        a.parse("", "SET lock_timeout TO sdf").bind("", "").execute("").sync();
        a.query("SHOW lock_timeout");
        a.expect("1", "2", "E 22023", "Z I", "T", "D 0", "C SHOW", "Z I");
    }

    @Test
    @DisplayName("ss-listen-scope")
    void aChannelBelongsToItsDatabase() {
        shards.execute(0, "DROP DATABASE IF EXISTS second_db");
        shards.execute(0, "CREATE DATABASE second_db");
        try (TestProxy one = TestProxy.over(shards).user("pool_size", 3).start();
                TestProxy two = TestProxy.over(shards.port(0), "second_db")
                        .user("pool_size", 3)
                        .start();
                WireClient inOne = one.login();
                WireClient inTwo = two.login();
                WireClient notifier = two.login()) {
            inOne.simple("LISTEN jobs").ok();
            inTwo.simple("LISTEN jobs").ok();
            notifier.simple("NOTIFY jobs, 'for two'").ok();
            inTwo.expect("A jobs|for two");
            inTwo.simple("UNLISTEN jobs").ok();
            shards.execute(0, "NOTIFY jobs, 'for one'");
            inOne.expect("A jobs|for one");
            inTwo.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
        } finally {
            shards.execute(0, "DROP DATABASE second_db WITH (FORCE)");
        }
    }

    @Test
    @DisplayName("ss-param-value-quoting")
    void aValueKeepsItsFormHoweverOftenItIsSetAgain() {
        try (TestProxy three = TestProxy.over(shards).user("pool_size", 3).start();
                WireClient client = three.login();
                WireClient direct = WireClient.login("127.0.0.1", shards.port(0), PgShards.APP, shards.database())) {
            List<WireClient> others = List.of(three.login(), three.login());
            for (String set : new String[] {
                "SET search_path TO ''",
                "SET search_path TO \"My Schema\", public",
                "SET search_path TO \"$user\", 'a\"b', \"x'y\"",
                "SET app.x TO 'it''s \"q\" \\ back'",
                "SET app.x TO E'tab\\tand \\\\ back'",
                "SET application_name TO 'a \"b\" ''c'''"
            }) {
                String name = set.split(" ")[1];
                direct.simple(set).ok();
                String expected = show(direct, name);
                client.simple(set).ok();
                for (int i = 0; i < 20; i++) {
                    // Whoever holds a connection makes the client use another one.
                    WireClient other = others.get(i % 2);
                    other.simple("BEGIN").ok();
                    other.simple("SELECT 1").ok();
                    assertThat(show(client, name)).as(set).isEqualTo(expected);
                    other.simple("COMMIT").ok();
                }
            }
            others.forEach(WireClient::close);
        }
    }

    @Test
    @DisplayName("ss-reset-undone-by-rollback")
    void aResetThatIsRolledBackLeavesNobodyAstray() {
        a.simple("SET search_path TO ''").ok();
        a.simple("BEGIN").ok();
        a.simple("RESET search_path").ok();
        a.simple("ROLLBACK").ok();
        assertThat(a.simple("SELECT * FROM u").sqlState()).isEqualTo("42P01");
        a.terminate();
        assertThat(b.simple("SELECT * FROM u").sqlState()).isNull();
    }

    @Test
    @DisplayName("ss-session-advisory-lock-leak")
    void aLockEndsWithItsClientAndIsUnlockedWhereItWasTaken() {
        try (TestProxy two = TestProxy.over(shards).user("pool_size", 2).start();
                WireClient load = two.login();
                WireClient other = two.login()) {
            WireClient locker = two.login();
            assertThat(value(locker, "SELECT pg_try_advisory_lock(1)")).isEqualTo("t");
            assertThat(value(load, "SELECT pg_try_advisory_lock(1)")).isEqualTo("f");
            locker.reset();
            TestProxy.await(
                    "the lock is free",
                    () -> "0"
                            .equals(shards.queryOne(
                                    0, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 1")));
            assertThat(value(load, "SELECT pg_try_advisory_lock(1)")).isEqualTo("t");
            for (int i = 0; i < 10; i++) {
                other.simple("SELECT " + i).ok();
                assertThat(value(load, "SELECT pg_advisory_unlock(1)")).isEqualTo("t");
                other.simple("SELECT " + i).ok();
                assertThat(value(load, "SELECT pg_try_advisory_lock(1)")).isEqualTo("t");
            }
        }
    }

    @Test
    @DisplayName("ss-set-config-function")
    void whatSetConfigSetsIsItsClientsOwn() {
        String tenant = "SELECT coalesce(nullif(current_setting('app.tenant', true), ''), 'none')";
        for (String function : new String[] {"set_config", "pg_catalog.set_config"}) {
            a.simple("SELECT " + function + "('app.tenant', 'a2', false)").ok();
            assertThat(value(b, tenant)).isEqualTo("none");
            assertThat(value(a, tenant)).isEqualTo("a2");
            a.simple("SELECT 1 AS x, " + function + "('app.tenant', 'a3', false)")
                    .ok();
            assertThat(value(b, tenant)).isEqualTo("none");
            assertThat(value(a, tenant)).isEqualTo("a3");
            a.simple("BEGIN").ok();
            a.extended("SELECT " + function + "('app.tenant', $1, true)", "a4").ok();
            assertThat(value(a, tenant)).isEqualTo("a4");
            a.simple("COMMIT").ok();
            assertThat(value(b, tenant)).isEqualTo("none");
            assertThat(value(a, tenant)).isEqualTo("a3");
            a.simple("RESET app.tenant").ok();
        }
    }

    @Test
    @DisplayName("ss-set-config-function: bound")
    void whatABoundSetConfigSetsStaysWithItsClient() {
        try (TestProxy two = TestProxy.over(shards).user("pool_size", 2).start();
                WireClient setter = two.login();
                WireClient other = two.login()) {
            setter.extended("SELECT set_config('app.tenant', $1, false)", "mine")
                    .ok();
            for (int i = 0; i < 5; i++) {
                assertThat(value(other, "SELECT coalesce(nullif(current_setting('app.tenant', true), ''), 'none')"))
                        .isEqualTo("none");
                assertThat(value(setter, "SELECT current_setting('app.tenant')"))
                        .isEqualTo("mine");
            }
        }
    }

    @Test
    @DisplayName("ss-set-role-leak")
    void aRoleEndsWithItsClient() {
        shards.execute(0, "DROP ROLE IF EXISTS low; CREATE ROLE low; GRANT low TO " + PgShards.APP);
        try (TestProxy boss =
                        TestProxy.over(shards).alsoUser("boss", "postgres").start();
                WireClient appOther = boss.login();
                WireClient bossOther = WireClient.login(boss.host(), boss.port(), "boss", TestProxy.DATABASE)) {
            WireClient app = boss.login();
            app.simple("SELECT pg_advisory_lock(3)").ok();
            app.simple("SET ROLE low").ok();
            app.reset();
            assertThat(value(appOther, "SELECT current_user")).isEqualTo(PgShards.APP);
            for (String pin : new String[] {"SELECT 1", "SELECT pg_advisory_lock(4)"}) {
                WireClient superuser = WireClient.login(boss.host(), boss.port(), "boss", TestProxy.DATABASE);
                superuser.simple(pin).ok();
                superuser.simple("SET SESSION AUTHORIZATION low").ok();
                assertThat(value(superuser, "SELECT session_user")).isEqualTo("low");
                superuser.reset();
                assertThat(value(bossOther, "SELECT session_user || current_user"))
                        .isEqualTo("postgrespostgres");
            }
        } finally {
            shards.execute(0, "DROP ROLE low");
        }
    }

    @Test
    @DisplayName("ss-startup-options-survive-discard")
    void startupOptionsAreTheClientsOwn() {
        try (WireClient optioned = loginWith("options", "-c statement_timeout=1234")) {
            assertThat(show(optioned, "statement_timeout")).isEqualTo("1234ms");
            optioned.simple("DISCARD ALL").ok();
            assertThat(show(optioned, "statement_timeout")).isEqualTo("1234ms");
            optioned.terminate();
        }
        assertThat(show(b, "statement_timeout")).isEqualTo("0");
        b.simple("DISCARD ALL").ok();
        assertThat(show(b, "statement_timeout")).isEqualTo("0");
    }

    @Test
    @DisplayName("ss-async-message-on-idle-backend")
    void whatAnIdleConnectionSaysIsNoAnswer() {
        a.simple("SELECT 1").ok();
        try {
            shards.execute(0, "ALTER SYSTEM SET intervalstyle = 'sql_standard'");
            shards.execute(0, "SELECT pg_reload_conf()");
            TestProxy.await("the server has read it", () -> "sql_standard".equals(show(a, "IntervalStyle")));
            for (WireClient client : List.of(a, b)) {
                client.query("SELECT 2").expect("T", "D 2", "C SELECT 1", "Z I");
                assertThat(client.parameter("IntervalStyle")).isEqualTo("sql_standard");
            }
        } finally {
            shards.execute(0, "ALTER SYSTEM RESET intervalstyle");
            shards.execute(0, "SELECT pg_reload_conf()");
        }
        TestProxy.await("the server has read it", () -> "postgres".equals(show(a, "IntervalStyle")));
    }

    @Test
    @DisplayName("ss-discard-all-semantics")
    void discardAllGoesBackToTheStartupValues() {
        try (WireClient named = loginWith("application_name", "x")) {
            named.simple("SET application_name = 'y'").ok();
            assertThat(show(named, "application_name")).isEqualTo("y");
            named.query("DISCARD ALL").expect("C DISCARD ALL");
            named.answer().ok();
            assertThat(show(named, "application_name")).isEqualTo("x");
            assertThat(named.parameter("application_name")).isEqualTo("x");
            named.simple("BEGIN").ok();
            assertThat(named.simple("DISCARD ALL").sqlState()).isEqualTo("25001");
            named.query("ROLLBACK").expect("C ROLLBACK", "Z I");
        }
    }

    @Test
    @DisplayName("ss-listen-silent-noop")
    void aListeningClientHearsWithoutAsking() {
        try (TestProxy two = TestProxy.over(shards).user("pool_size", 2).start();
                WireClient listener = two.login();
                WireClient notifier = two.login()) {
            listener.simple("LISTEN c").ok();
            for (int i = 0; i < 3; i++) {
                notifier.simple("NOTIFY c, '" + i + "'").ok();
                listener.expect("A c|" + i);
            }
        }
    }

    @Test
    @DisplayName("ss-rollback-to-savepoint-guc")
    void rollbackToASavepointTakesTheValueBack() {
        a.simple("BEGIN").ok();
        a.simple("SET work_mem = '1MB'").ok();
        a.simple("SAVEPOINT a").ok();
        a.simple("SET work_mem = '2MB'").ok();
        a.simple("ROLLBACK TO a").ok();
        a.simple("COMMIT").ok();
        assertThat(show(a, "work_mem")).isEqualTo("1MB");
        endServerConnections();
        TestProxy.await("a new connection serves", () -> b.simple("SELECT 1").sqlState() == null);
        assertThat(show(a, "work_mem")).isEqualTo("1MB");
        assertThat(show(b, "work_mem")).isEqualTo("4MB");
    }

    @Test
    @DisplayName("ss-set-transaction-not-session")
    void aTransactionsModesEndWithIt() {
        a.simple("BEGIN").ok();
        a.simple("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE").ok();
        assertThat(show(a, "transaction_isolation")).isEqualTo("serializable");
        a.simple("COMMIT").ok();
        assertThat(show(a, "transaction_isolation")).isEqualTo("read committed");
        a.simple("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE")
                .ok();
        assertThat(show(b, "transaction_isolation")).isEqualTo("read committed");
        assertThat(show(a, "transaction_isolation")).isEqualTo("serializable");
    }

    @Test
    @DisplayName("ss-startup-options-parsing")
    void startupOptionsAreReadAsTheServerReadsThem() {
        try (WireClient client =
                loginWith("options", "-c search_path=\"a\\ b\",public --statement-timeout=5s -cwork_mem=1MB")) {
            for (int i = 0; i < 3; i++) {
                assertThat(show(client, "search_path")).isEqualTo("\"a b\", public");
                assertThat(show(client, "statement_timeout")).isEqualTo("5s");
                assertThat(show(client, "work_mem")).isEqualTo("1MB");
                assertThat(show(b, "work_mem")).isEqualTo("4MB");
            }
        }
        for (String wrong : new String[] {"-c search_path", "-c work_mem=1MB+-c x=y"}) {
            List<String> states = new ArrayList<>();
            for (WireClient each : List.of(
                    WireClient.connect("127.0.0.1", shards.port(0))
                            .send(Frontend.startup(
                                    Frontend.PROTOCOL_3_0,
                                    Map.of("user", PgShards.APP, "database", shards.database(), "options", wrong))),
                    proxy.connect().send(startup("options", wrong)))) {
                Frame frame = each.readAny();
                while (frame.type() != 'E') {
                    frame = each.readAny();
                }
                states.add(frame.toString().substring(0, 7));
                each.expectClosed();
            }
            // Of two faults the proxy may name the other one: what is no option it knows without asking a server.
            assertThat(states.get(1)).as(wrong).isIn(states.get(0), "E 42601");
        }
    }

    @Test
    @DisplayName("ss-temp-objects")
    void aTemporaryTableIsItsClientsOwn() {
        try (TestProxy two = TestProxy.over(shards).user("pool_size", 2).start();
                WireClient one = two.login();
                WireClient other = two.login()) {
            one.simple("CREATE TEMP TABLE x (i int)").ok();
            for (int i = 0; i < 5; i++) {
                one.simple("INSERT INTO x VALUES (" + i + ")").ok();
                assertThat(other.simple("SELECT * FROM x").sqlState()).isEqualTo("42P01");
            }
            assertThat(value(one, "SELECT count(*) FROM x")).isEqualTo("5");
            other.simple("CREATE TEMP TABLE x (i int)").ok();
            assertThat(value(other, "SELECT count(*) FROM x")).isEqualTo("0");
        }
    }

    @Test
    @DisplayName("ss-advisory-xact-does-not-pin")
    void aLockOfATransactionBindsNobody() {
        a.simple("BEGIN").ok();
        a.simple("SELECT pg_advisory_xact_lock(5)").ok();
        a.simple("COMMIT").ok();
        assertThat(proxy.leased()).isZero();
        assertThat(value(b, "SELECT 1")).isEqualTo("1");
    }

    @Test
    @DisplayName("ss-replay-noise")
    void nothingIsSetThatIsSetAlready() {
        try (FakeServer server = FakeServer.start(new Scripted());
                TestProxy fake = TestProxy.over(server.port(), "fake").start();
                WireClient client = fake.login()) {
            for (String set : new String[] {
                "SET DateStyle = ISO",
                "SET work_mem = 8192",
                "SET TIME ZONE 'utc'",
                "SET search_path = public , pg_catalog",
                "SET extra_float_digits = 3",
                "SET statement_timeout = '1s'"
            }) {
                client.simple(set).ok();
            }
            int before = server.statements().size();
            for (int i = 0; i < 1000; i++) {
                client.query("SELECT " + i).expect("C SELECT", "Z I");
            }
            assertThat(server.statements().subList(before, server.statements().size()))
                    .hasSize(1000)
                    .allMatch(sql -> sql.startsWith("SELECT"));
        }
    }
}
