package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import org.junit.jupiter.api.Test;

/** What drivers send to leave a connection clean works on a database of several shards as well. */
@Shards(2)
@WithProxy(poolSize = 2)
class ForgettingIT {

    private final TestProxy proxy;

    ForgettingIT(TestProxy proxy) {
        this.proxy = proxy;
    }

    @Test
    void deallocatesWhatWasPreparedByTheProtocol() {
        try (WireClient client = proxy.login()) {
            client.parse("s", "SELECT 1").parse("t", "SELECT 2").sync().expect("1", "1", "Z I");
            client.query("DEALLOCATE s").expect("C DEALLOCATE", "Z I");
            client.query("DEALLOCATE s").expect("E 26000", "Z I");
            client.bind("", "s").execute("").sync().expect("E 26000", "Z I");
            client.bind("", "t").execute("").sync().expect("2", "D 2", "C SELECT 1", "Z I");
            client.parse("", "DEALLOCATE ALL").bind("", "").execute("").sync();
            client.expect("1", "2", "C DEALLOCATE ALL", "Z I");
            client.bind("", "t").execute("").sync().expect("E 26000", "Z I");
            client.parse("t", "SELECT 3").bind("", "t").execute("").sync();
            client.expect("1", "2", "D 3", "C SELECT 1", "Z I");
        }
    }

    @Test
    void keepsWhatItHasPreparedInAFailedBlock() {
        try (WireClient client = proxy.login()) {
            client.parse("s", "SELECT 1").sync().expect("1", "Z I");
            client.query("BEGIN").expect("C BEGIN", "Z T");
            client.query("SELECT 1 / 0").expect("E 22012", "Z E");
            client.query("DEALLOCATE ALL").expect("E 25P02", "Z E");
            client.query("ROLLBACK").expect("C ROLLBACK", "Z I");
            client.bind("", "s").execute("").sync().expect("2", "D 1", "C SELECT 1", "Z I");
        }
    }

    @Test
    void carriesOutWhatAPoolOfClientsSendsBeforeItUsesAConnectionAgain() {
        try (WireClient client = proxy.login()) {
            client.simple("SET work_mem = '8MB'").ok();
            client.query("SELECT pg_advisory_unlock_all(); CLOSE ALL; UNLISTEN *; RESET ALL")
                    .expect("T", "D", "C SELECT 1", "C CLOSE CURSOR ALL", "C UNLISTEN", "C RESET", "Z I");
            assertThat(client.simple("SHOW work_mem").value()).isEqualTo("4MB");
        }
    }
}
