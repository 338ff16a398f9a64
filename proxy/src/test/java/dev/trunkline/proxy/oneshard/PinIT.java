package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A client that leaves something on its server connection that cannot be carried elsewhere keeps the connection until it
 * leaves or throws the thing away; the next client finds nothing of it.
 */
@Shards(1)
@WithProxy(poolSize = 2)
class PinIT {

    private final PgShards shards;
    private final TestProxy proxy;

    PinIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
    }

    private static int pid(WireClient client) {
        return Integer.parseInt(
                String.valueOf(client.simple("SELECT pg_backend_pid()").ok().value()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE TEMP TABLE x AS SELECT 7 AS a| SELECT a FROM x| 42P01",
                "CREATE TEMPORARY TABLE x (a int); INSERT INTO x VALUES (7)| SELECT a FROM x| 42P01",
                "SELECT 7 AS a INTO TEMP x| SELECT a FROM x| 42P01",
                "CREATE TEMP VIEW x AS SELECT 7 AS a| SELECT a FROM x| 42P01",
                "CREATE TEMP SEQUENCE x START 7| SELECT nextval('x')| 42P01",
                "CREATE TABLE pg_temp.x AS SELECT 7 AS a| SELECT a FROM x| 42P01",
                "SET search_path = pg_temp; CREATE TABLE x AS SELECT 7 AS a; RESET search_path| SELECT a FROM x| 42P01",
                "CREATE FUNCTION pg_temp.x() RETURNS int LANGUAGE sql AS 'SELECT 7'| SELECT pg_temp.x()| 42883",
                "BEGIN; DECLARE x CURSOR WITH HOLD FOR SELECT 7; COMMIT| FETCH x| 34000",
                "PREPARE x AS SELECT 7| EXECUTE x| 26000"
            })
    void keepsItsConnection(String statement, String use, String missing) {
        try (WireClient client = proxy.login();
                WireClient other = proxy.login();
                WireClient third = proxy.login()) {
            client.simple(statement).ok();
            assertThat(proxy.leased()).isEqualTo(1);
            assertThat(other.simple(use).sqlState()).isEqualTo(missing);
            assertThat(client.simple(use).ok().value()).isEqualTo("7");
            int pid = pid(client);
            assertThat(pid(client)).isEqualTo(pid).isNotEqualTo(pid(other)).isNotEqualTo(pid(third));
            client.terminate();
            TestProxy.await("the connection is free", () -> proxy.leased() == 0);
            other.simple("BEGIN").ok();
            third.simple("BEGIN").ok();
            assertThat(other.simple(use).sqlState()).isEqualTo(missing);
            assertThat(third.simple(use).sqlState()).isEqualTo(missing);
            other.simple("ROLLBACK").ok();
            third.simple("ROLLBACK").ok();
        }
    }

    @Test
    void holdsItsAdvisoryLockUntilItLeaves() {
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            client.extended("SELECT pg_advisory_lock($1)", 42).ok();
            assertThat(other.simple("SELECT pg_try_advisory_lock(42)").value()).isEqualTo("f");
            assertThat(client.simple("SELECT pg_advisory_unlock(42)").value()).isEqualTo("t");
            client.simple("SELECT pg_advisory_lock(42)").ok();
            client.reset();
            TestProxy.await("the lock is free", () -> "t".equals(tryLock(other)));
        }
        TestProxy.await("the connections are free", () -> proxy.leased() == 0);
    }

    private static String tryLock(WireClient client) {
        return String.valueOf(client.simple("SELECT pg_try_advisory_lock(42)").value());
    }

    @Test
    void whatParametersSetIsItsClientsOwnAndKeepsNoConnection() {
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            for (String value : new String[] {"8MB", "9MB"}) {
                client.extended("SELECT set_config($1, $2, $3)", "work_mem", value, "off")
                        .ok();
                assertThat(proxy.leased()).isZero();
                for (int i = 0; i < 4; i++) {
                    assertThat(other.simple("SHOW work_mem").value()).isEqualTo("4MB");
                    assertThat(client.simple("SHOW work_mem").value()).isEqualTo(value);
                }
            }
            client.simple("BEGIN").ok();
            client.extended("SELECT set_config('work_mem', $1, $2)", "10MB", "no")
                    .ok();
            client.simple("ROLLBACK").ok();
            assertThat(client.simple("SHOW work_mem").value()).isEqualTo("9MB");
            assertThat(client.extended("SELECT set_config('work_mem', $1, false)", "nonsense")
                            .sqlState())
                    .isEqualTo("22023");
            assertThat(client.simple("SHOW work_mem").value()).isEqualTo("9MB");
            client.extended("SELECT set_config('work_mem', $1, false)", (Object) null)
                    .ok();
            assertThat(client.simple("SHOW work_mem").value()).isEqualTo("4MB");
            assertThat(proxy.leased()).isZero();
        }
    }

    /** The bytes of the value mean other characters there; said once more they could become others again. */
    @Test
    void whatIsSetInAnotherEncodingStaysAsItIs() {
        String hex = "SELECT encode(convert_to(current_setting('my.name'), 'UTF8'), 'hex')";
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            client.simple("SET client_encoding = 'LATIN1'").ok();
            client.simple("SET my.name = '\u00fc'").ok();
            for (int i = 0; i < 4; i++) {
                other.simple("SELECT 1").ok();
                assertThat(client.simple(hex).value()).isEqualTo("c383c2bc");
            }
        }
    }

    @Test
    void whatABlockOfCodeSetsIsItsClientsOwn() {
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            client.simple("DO $$ BEGIN SET work_mem = '8MB'; PERFORM set_config('my.x', 'mine', false); END $$")
                    .ok();
            for (int i = 0; i < 4; i++) {
                assertThat(other.simple("SHOW work_mem").value()).isEqualTo("4MB");
                assertThat(client.simple("SHOW work_mem").value()).isEqualTo("8MB");
                assertThat(client.simple("SHOW my.x").value()).isEqualTo("mine");
            }
            client.terminate();
            TestProxy.await("the connection is free", () -> proxy.leased() == 0);
            other.simple("BEGIN").ok();
            try (WireClient third = proxy.login()) {
                assertThat(third.simple("SHOW work_mem").value()).isEqualTo("4MB");
                assertThat(other.simple("SHOW work_mem").value()).isEqualTo("4MB");
            }
            other.simple("ROLLBACK").ok();
        }
    }

    @Test
    void keepsTheLibraryThatItHasLoaded() {
        try (TestProxy proxied =
                        TestProxy.over(shards).alsoUser("boss", "postgres").start();
                WireClient client = WireClient.login(proxied.host(), proxied.port(), "boss", TestProxy.DATABASE)) {
            client.simple("LOAD 'plpgsql'").ok();
            assertThat(proxied.leased()).isEqualTo(1);
            client.simple("DISCARD ALL").ok();
            assertThat(proxied.leased()).as("it is loaded still").isEqualTo(1);
        }
    }

    @Test
    void aLockOfATransactionBindsNobody() {
        try (WireClient client = proxy.login()) {
            client.simple("SELECT pg_advisory_xact_lock(43)").ok();
            assertThat(proxy.leased()).isZero();
        }
    }

    @Test
    void givesItsConnectionBackWhenItThrowsEverythingAway() {
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            client.simple("PREPARE y AS SELECT 1").ok();
            client.simple("CREATE TEMP TABLE x (a int)").ok();
            client.simple("DISCARD TEMP").ok();
            assertThat(proxy.leased()).as("y is left").isEqualTo(1);
            client.simple("DISCARD ALL").ok();
            TestProxy.await("the connection is free", () -> proxy.leased() == 0);
            client.simple("CREATE TEMP TABLE x (a int)").ok();
            client.simple("DISCARD TEMP").ok();
            TestProxy.await("the connection is free", () -> proxy.leased() == 0);
            assertThat(other.simple("TABLE x").sqlState()).isEqualTo("42P01");
        }
    }

    @Test
    void givesItsConnectionBackWhenItHasDeallocatedWhatItPrepared() {
        try (WireClient client = proxy.login()) {
            client.simple("PREPARE x AS SELECT 7; PREPARE y AS SELECT 8").ok();
            client.simple("DEALLOCATE x").ok();
            assertThat(proxy.leased()).as("y is left").isEqualTo(1);
            client.simple("DEALLOCATE y").ok();
            TestProxy.await("the connection is free", () -> proxy.leased() == 0);
            client.simple("PREPARE x AS SELECT 7").ok();
            client.simple("DEALLOCATE ALL").ok();
            TestProxy.await("the connection is free", () -> proxy.leased() == 0);
        }
    }

    @Test
    void anotherClientsPreparedStatementsSurviveTheCleaning() {
        try (WireClient client = proxy.login()) {
            client.parse("s", "SELECT $1::int").sync().expect("1", "Z I");
            try (WireClient other = proxy.login()) {
                other.simple("CREATE TEMP TABLE x (a int)").ok();
                other.terminate();
            }
            TestProxy.await("the connection is free", () -> proxy.leased() == 0);
            for (int i = 0; i < 4; i++) {
                client.bind("", "s", i).execute("").sync().expect("2", "D " + i, "C SELECT 1", "Z I");
            }
        }
    }

    @Test
    void endsWithItsConnection() {
        try (WireClient client = proxy.login();
                WireClient other = proxy.login()) {
            client.simple("CREATE TEMP TABLE x (a int)").ok();
            shards.execute(0, "SELECT pg_terminate_backend(" + pid(client) + ")");
            // What it relies on is gone: it is told at once.
            client.expect("E *").expectClosed();
            other.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
        }
    }

    @Test
    void leavesItsTemporaryTableWhenItVanishesInATransaction() {
        try (WireClient client = proxy.login()) {
            client.simple("BEGIN; CREATE TEMP TABLE x (a int)").ok();
            client.reset();
        }
        TestProxy.await("the connection is free", () -> proxy.leased() == 0);
        assertThat(shards.queryOne(0, "SELECT count(*) FROM pg_class WHERE relname = 'x'"))
                .isEqualTo("0");
    }
}
