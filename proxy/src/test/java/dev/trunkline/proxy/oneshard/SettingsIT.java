package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a client sets follows it, and nobody else: two clients take turns on the one server connection, and each sees its
 * own settings with PostgreSQL's rules for transactions.
 */
@Shards(1)
@WithProxy
class SettingsIT {

    private final PgShards shards;
    private final TestProxy proxy;
    private WireClient client;
    private WireClient other;

    SettingsIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
        client = proxy.login();
        other = proxy.login();
    }

    @BeforeEach
    void schemas() {
        shards.execute(0, "CREATE SCHEMA IF NOT EXISTS s; GRANT ALL ON SCHEMA s TO PUBLIC");
    }

    @AfterEach
    void close() {
        client.close();
        other.close();
    }

    private static @Nullable String show(WireClient who, String name) {
        return who.simple("SHOW " + name).ok().value();
    }

    /** The other client uses the connection, as one that has set nothing. */
    private void otherTakesATurn() {
        assertThat(show(other, "work_mem")).isEqualTo("4MB");
        assertThat(show(other, "search_path")).isEqualTo("\"$user\", public");
        assertThat(show(other, "TimeZone")).isEqualTo("UTC");
        assertThat(show(other, "role")).isEqualTo("none");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SET work_mem = '8MB'| work_mem| 8MB",
                "SET work_mem TO 8192| work_mem| 8MB",
                "SET SESSION work_mem = '8MB'| work_mem| 8MB",
                "set WORK_MEM = '8MB'| work_mem| 8MB",
                "SET TimeZone = 'Europe/Rome'| TimeZone| Europe/Rome",
                "SET TIME ZONE 'Asia/Tokyo'| TimeZone| Asia/Tokyo",
                "SET TIME ZONE 3| TimeZone| <+03>-03",
                "SET TIME ZONE INTERVAL '-02:30' HOUR TO MINUTE| TimeZone| <-02:30>+02:30",
                "SET search_path = s, \"A b\", public| search_path| s, \"A b\", public",
                "SET search_path TO ''| search_path| \"\"",
                "SET SCHEMA 's'| search_path| s",
                "SET NAMES 'LATIN1'| client_encoding| LATIN1",
                "SET DateStyle = 'German'| DateStyle| German, DMY",
                "SET application_name = 'it''s \\ é'| application_name| it's \\ ?",
                "SET my.setting = 'quote'' back\\slash'| my.setting| quote' back\\slash",
                "SET \"my\".\"setting\" = 'x'| my.setting| x",
                "SELECT set_config('work_mem', '8MB', false)| work_mem| 8MB",
                "SELECT pg_catalog.set_config('search_path', 's, public', false)| search_path| s, public",
                "SET statement_timeout = 5000| statement_timeout| 5s",
                "SET standard_conforming_strings = off| standard_conforming_strings| off"
            })
    void followsTheClient(String set, String name, String value) {
        for (boolean extended : new boolean[] {false, true}) {
            try (WireClient setter = proxy.login()) {
                var unused = extended
                        ? setter.extended(set).ok()
                        : setter.simple(set).ok();
                otherTakesATurn();
                String shown = value.replace("?", "é").replace("it's \\ é", shownName(setter));
                assertThat(show(setter, name)).isEqualTo(shown);
                otherTakesATurn();
                assertThat(show(setter, name)).isEqualTo(shown);
            }
        }
    }

    /** PostgreSQL replaces what is not ASCII in an application_name; how differs between versions. */
    private static String shownName(WireClient setter) {
        return String.valueOf(show(setter, "application_name"));
    }

    @Test
    void aNameOrValueThatIsWrongFailsAtOnceAndChangesNothing() {
        assertThat(client.simple("SET no_such = 1").sqlState()).isEqualTo("42704");
        assertThat(client.simple("SET work_mem = 'x'").sqlState()).isEqualTo("22023");
        assertThat(client.simple("SET work_mem = '9MB'; SET work_mem = 'x'").sqlState())
                .isEqualTo("22023");
        otherTakesATurn();
        assertThat(show(client, "work_mem")).isEqualTo("4MB");
    }

    @Test
    void rollbackUndoesWhatTheBlockSet() {
        client.simple("SET work_mem = '8MB'").ok();
        client.simple("BEGIN").ok();
        client.simple("SET work_mem = '16MB'; SET TimeZone = 'Asia/Tokyo'").ok();
        assertThat(show(client, "work_mem")).isEqualTo("16MB");
        client.simple("ROLLBACK").ok();
        otherTakesATurn();
        assertThat(show(client, "work_mem")).isEqualTo("8MB");
        assertThat(show(client, "TimeZone")).isEqualTo("UTC");
    }

    @Test
    void anErrorUndoesWhatTheTransactionSet() {
        client.simple("BEGIN; SET work_mem = '16MB'").ok();
        assertThat(client.simple("SELECT 1/0").sqlState()).isEqualTo("22012");
        assertThat(client.simple("COMMIT").tags()).containsExactly("ROLLBACK");
        otherTakesATurn();
        assertThat(show(client, "work_mem")).isEqualTo("4MB");
        assertThat(client.simple("SET work_mem = '16MB'; SELECT 1/0").sqlState())
                .isEqualTo("22012");
        otherTakesATurn();
        assertThat(show(client, "work_mem")).isEqualTo("4MB");
        client.parse("", "SET work_mem = '16MB'").bind("", "").execute("");
        client.parse("", "SELECT 1/0").bind("", "").execute("").sync();
        assertThat(client.answer().sqlState()).isEqualTo("22012");
        otherTakesATurn();
        assertThat(show(client, "work_mem")).isEqualTo("4MB");
    }

    @Test
    void rollbackToUndoesWhatWasSetSince() {
        client.simple("BEGIN; SET work_mem = '8MB'; SAVEPOINT a; SET work_mem = '16MB'; SAVEPOINT a")
                .ok();
        client.simple("SET work_mem = '32MB'").ok();
        client.simple("ROLLBACK TO a").ok();
        assertThat(show(client, "work_mem")).isEqualTo("16MB");
        client.simple("RELEASE a; ROLLBACK TO a").ok();
        assertThat(show(client, "work_mem")).isEqualTo("8MB");
        client.simple("COMMIT").ok();
        otherTakesATurn();
        assertThat(show(client, "work_mem")).isEqualTo("8MB");
    }

    @Test
    void aResetThatIsRolledBackDoesNotCount() {
        client.simple("SET work_mem = '8MB'").ok();
        client.simple("BEGIN").ok();
        client.simple("RESET work_mem").ok();
        assertThat(show(client, "work_mem")).isEqualTo("4MB");
        client.simple("ROLLBACK").ok();
        otherTakesATurn();
        assertThat(show(client, "work_mem")).isEqualTo("8MB");
        client.simple("BEGIN; RESET ALL; ROLLBACK").ok();
        otherTakesATurn();
        assertThat(show(client, "work_mem")).isEqualTo("8MB");
    }

    @Test
    void setLocalEndsWithItsTransaction() {
        client.simple("BEGIN; SET LOCAL work_mem = '8MB'; SET LOCAL search_path = s")
                .ok();
        assertThat(show(client, "work_mem")).isEqualTo("8MB");
        client.simple("COMMIT").ok();
        otherTakesATurn();
        assertThat(show(client, "work_mem")).isEqualTo("4MB");
        client.simple("BEGIN; SELECT set_config('work_mem', '8MB', true); COMMIT")
                .ok();
        assertThat(show(client, "work_mem")).isEqualTo("4MB");
        otherTakesATurn();
    }

    @ParameterizedTest
    @ValueSource(strings = {"RESET work_mem", "RESET ALL", "SET work_mem TO DEFAULT", "DISCARD ALL"})
    void resetGoesBackToTheDefault(String reset) {
        client.simple("SET work_mem = '8MB'").ok();
        otherTakesATurn();
        client.simple(reset).ok();
        assertThat(show(client, "work_mem")).isEqualTo("4MB");
        otherTakesATurn();
        assertThat(show(client, "work_mem")).isEqualTo("4MB");
    }

    private WireClient loginWith(String... parameters) {
        Map<String, String> startup = new LinkedHashMap<>();
        startup.put("user", PgShards.APP);
        startup.put("database", TestProxy.DATABASE);
        for (int i = 0; i < parameters.length; i += 2) {
            startup.put(parameters[i], parameters[i + 1]);
        }
        WireClient fresh = proxy.connect().send(Frontend.startup(Frontend.PROTOCOL_3_0, startup));
        return fresh.expect("R 0").ready();
    }

    @Test
    void whatTheStartupPacketSetsIsTheClientsDefault() {
        try (WireClient fresh = loginWith(
                "TimeZone", "Europe/Rome",
                "options", "-c work_mem=8MB --search-path=s,public -c my.setting=a\\ b",
                "application_name", "mine")) {
            assertThat(fresh.parameter("TimeZone")).isEqualTo("Europe/Rome");
            assertThat(fresh.parameter("application_name")).isEqualTo("mine");
            for (String reset : new String[] {
                "SELECT 1",
                "RESET work_mem",
                "SET work_mem = '16MB'; SET TimeZone = 'Asia/Tokyo'",
                "RESET ALL",
                "SET work_mem = '16MB'; SET TimeZone = 'Asia/Tokyo'",
                "DISCARD ALL",
                "SET TIME ZONE DEFAULT",
                "BEGIN; RESET ALL; COMMIT",
                "BEGIN; DISCARD SEQUENCES; ROLLBACK",
                "RESET my.setting"
            }) {
                fresh.simple(reset).ok();
                if (!reset.startsWith("SET work_mem")) {
                    assertThat(show(fresh, "TimeZone")).as(reset).isEqualTo("Europe/Rome");
                    assertThat(show(fresh, "work_mem")).as(reset).isEqualTo("8MB");
                    assertThat(show(fresh, "search_path")).as(reset).isEqualTo("s, public");
                    assertThat(show(fresh, "my.setting")).as(reset).isEqualTo("a b");
                }
                otherTakesATurn();
            }
            assertThat(show(fresh, "application_name")).isEqualTo("mine");
        }
    }

    @Test
    void whatIsPipelinedBehindAResetSeesTheClientsDefault() {
        try (WireClient fresh = loginWith("work_mem", "8MB")) {
            fresh.query("SET work_mem = '16MB'").query("RESET work_mem").query("SHOW work_mem");
            fresh.expect("C SET", "Z I", "C RESET", "Z I", "T", "D 8MB", "C SHOW", "Z I");
            fresh.query("DISCARD ALL").query("SHOW work_mem");
            fresh.expect("C DISCARD ALL", "Z I", "T", "D 8MB", "C SHOW", "Z I");
            fresh.parse("", "RESET ALL").bind("", "").execute("").sync();
            fresh.parse("", "SHOW work_mem").bind("", "").execute("").sync();
            fresh.expect("1", "2", "C RESET", "Z I", "1", "2", "D 8MB", "C SHOW", "Z I");
        }
    }

    @Test
    void tellsTheClientWhatChangesForIt() {
        client.query("SET TimeZone = 'Asia/Tokyo'").expect("C SET", "S TimeZone=Asia/Tokyo", "Z I");
        otherTakesATurn();
        client.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
        other.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
        client.query("BEGIN").expect("C BEGIN", "Z T");
        client.query("SET TimeZone = 'Europe/Rome'").expect("C SET", "S TimeZone=Europe/Rome", "Z T");
        client.query("ROLLBACK").expect("C ROLLBACK", "S TimeZone=Asia/Tokyo", "Z I");
        client.query("SELECT set_config('application_name', 'x', false)")
                .expect("T", "D x", "C SELECT 1", "S application_name=x", "Z I");
    }

    @Test
    void tellsTheClientWhatTheServerChanges() {
        try {
            shards.execute(0, "ALTER SYSTEM SET intervalstyle = 'iso_8601'");
            shards.execute(0, "SELECT pg_reload_conf()");
            TestProxy.await(
                    "the server has read it",
                    () -> "iso_8601".equals(client.simple("SHOW IntervalStyle").value()));
            client.simple("SELECT 1").ok();
            other.simple("SELECT 1").ok();
            assertThat(client.parameter("IntervalStyle")).isEqualTo("iso_8601");
            assertThat(other.parameter("IntervalStyle")).isEqualTo("iso_8601");
        } finally {
            shards.execute(0, "ALTER SYSTEM RESET intervalstyle");
            shards.execute(0, "SELECT pg_reload_conf()");
        }
        TestProxy.await("the server has read it", () -> "postgres".equals(show(client, "IntervalStyle")));
    }

    @Test
    void aRoleIsTheClientsOwn() {
        shards.execute(0, "DROP ROLE IF EXISTS weak; CREATE ROLE weak; GRANT weak TO " + PgShards.APP);
        try {
            client.simple("SET ROLE weak").ok();
            assertThat(client.simple("SELECT current_user").value()).isEqualTo("weak");
            assertThat(other.simple("SELECT current_user").value()).isEqualTo(PgShards.APP);
            assertThat(client.simple("SELECT current_user").value()).isEqualTo("weak");
            client.simple("BEGIN; RESET ROLE").ok();
            assertThat(client.simple("SELECT current_user").value()).isEqualTo(PgShards.APP);
            client.simple("ROLLBACK").ok();
            assertThat(other.simple("SELECT current_user").value()).isEqualTo(PgShards.APP);
            assertThat(client.simple("SELECT current_user").value()).isEqualTo("weak");
            client.simple("RESET ALL").ok();
            assertThat(client.simple("SELECT current_user").value()).isEqualTo("weak");
            client.simple("SET ROLE NONE").ok();
            assertThat(client.simple("SELECT current_user").value()).isEqualTo(PgShards.APP);
            client.simple("SET SESSION AUTHORIZATION DEFAULT").ok();
            client.simple("SET ROLE weak").ok();
        } finally {
            client.close();
            assertThat(other.simple("SELECT current_user").value()).isEqualTo(PgShards.APP);
            shards.execute(0, "DROP ROLE weak");
        }
    }

    @Test
    void setTransactionIsNoSetting() {
        client.simple("SET TRANSACTION READ ONLY").ok();
        client.simple("BEGIN; SET TRANSACTION ISOLATION LEVEL SERIALIZABLE READ ONLY")
                .ok();
        assertThat(show(client, "transaction_isolation")).isEqualTo("serializable");
        client.simple("COMMIT").ok();
        assertThat(show(other, "transaction_isolation")).isEqualTo("read committed");
        assertThat(show(client, "transaction_isolation")).isEqualTo("read committed");
        client.simple("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                .ok();
        assertThat(show(other, "transaction_isolation")).isEqualTo("read committed");
        assertThat(show(client, "transaction_isolation")).isEqualTo("repeatable read");
    }

    @Test
    void pipelinedSettingsKeepTheirOrder() {
        client.query("SET work_mem = '8MB'")
                .query("SHOW work_mem")
                .query("RESET work_mem")
                .query("SHOW work_mem")
                .query("BEGIN")
                .query("SET work_mem = '16MB'")
                .query("ROLLBACK")
                .query("SHOW work_mem");
        client.expect("C SET", "Z I", "T", "D 8MB", "C SHOW", "Z I", "C RESET", "Z I", "T", "D 4MB", "C SHOW", "Z I");
        client.expect("C BEGIN", "Z T", "C SET", "Z T", "C ROLLBACK", "Z I", "T", "D 4MB", "C SHOW", "Z I");
        otherTakesATurn();
    }

    @Test
    void aSettingComputedByTheStatementFollowsTheClientToo() {
        client.extended("SELECT set_config($1, $2, false)", "work_mem", "8MB").ok();
        assertThat(show(client, "work_mem")).isEqualTo("8MB");
        client.simple("SELECT set_config(n, '16MB', false) FROM (VALUES ('work_mem')) v(n)")
                .ok();
        assertThat(show(client, "work_mem")).isEqualTo("16MB");
        client.close();
        otherTakesATurn();
    }

    @Test
    void aLocalSettingComputedByTheStatementDoesNotBindTheClient() {
        client.simple("BEGIN").ok();
        client.extended("SELECT set_config($1, $2, true)", "work_mem", "8MB").ok();
        assertThat(show(client, "work_mem")).isEqualTo("8MB");
        client.simple("COMMIT").ok();
        otherTakesATurn();
        assertThat(show(client, "work_mem")).isEqualTo("4MB");
    }

    @Test
    void aCustomParameterThatWasResetIsEmptyAndNotUnknown() {
        client.simple("SET my.own = 'x'").ok();
        otherTakesATurn();
        for (String reset : new String[] {"RESET my.own", "SET my.own = 'x'; RESET ALL", "SET my.own TO DEFAULT"}) {
            client.simple(reset).ok();
            shards.execute(
                    0, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + PgShards.APP + "'");
            TestProxy.await(
                    "a new connection serves", () -> other.simple("SELECT 1").sqlState() == null);
            assertThat(show(client, "my.own")).as(reset).isEmpty();
        }
    }

    @Test
    void aSessionAuthorizationFollowsItsClientAndTakesTheRoleWithIt() {
        shards.execute(0, "DROP ROLE IF EXISTS low; DROP ROLE IF EXISTS lower; CREATE ROLE low; CREATE ROLE lower");
        shards.execute(0, "GRANT lower TO low");
        String who = "SELECT session_user || ' ' || current_user || ' ' || current_setting('role')";
        try (TestProxy proxied =
                        TestProxy.over(shards).alsoUser("boss", "postgres").start();
                WireClient one = WireClient.login(proxied.host(), proxied.port(), "boss", TestProxy.DATABASE);
                WireClient two = WireClient.login(proxied.host(), proxied.port(), "boss", TestProxy.DATABASE)) {
            // Only a superuser may set this one: it must be set before, and reset after, the session is somebody else.
            one.simple("SET log_min_messages = 'error'").ok();
            one.simple("SET SESSION AUTHORIZATION low").ok();
            one.simple("SET ROLE lower").ok();
            two.simple("SET SESSION AUTHORIZATION low").ok();
            assertThat(two.simple(who).ok().value()).isEqualTo("low low none");
            assertThat(one.simple(who).ok().value()).isEqualTo("low lower lower");
            assertThat(show(two, "log_min_messages")).isEqualTo("warning");
            assertThat(show(one, "log_min_messages")).isEqualTo("error");
            one.simple("SET SESSION AUTHORIZATION low").ok();
            two.simple("RESET SESSION AUTHORIZATION").ok();
            assertThat(two.simple(who).ok().value()).isEqualTo("postgres postgres none");
            assertThat(one.simple(who).ok().value()).isEqualTo("low low none");
            one.simple("BEGIN; SET ROLE lower; RESET SESSION AUTHORIZATION").ok();
            one.simple("ROLLBACK").ok();
            two.simple("SELECT 1").ok();
            assertThat(one.simple(who).ok().value()).isEqualTo("low low none");
        } finally {
            shards.execute(0, "DROP ROLE low; DROP ROLE lower");
        }
    }
}
