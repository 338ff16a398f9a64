package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.pg.Ports;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.Metrics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What operators see of COPY while it runs and afterwards. */
class CopyProgressIT extends Scenario {

    private static final String PASSWORD = "secret";
    private static final String SHOW = "SHOW COPIES table, format, state, shard, rows, bytes";

    private final Map<LookupMiss, Integer> ports = new HashMap<>();

    @Override
    void prepare(Deployment deployment) {
        deployment.admin(PASSWORD);
    }

    @Override
    Map<String, Object> settings(LookupMiss miss) {
        Map<String, Object> settings = new HashMap<>(super.settings(miss));
        settings.put("openmetrics_port", ports.computeIfAbsent(miss, each -> Ports.free()));
        return settings;
    }

    private Metrics now() {
        return Metrics.of(ports.get(LookupMiss.PROBE));
    }

    @Test
    void aRunningCopyShowsWhatEachShardHasGot() {
        String zero = tenants().family(0).child();
        String two = tenants().family(2).child();
        Metrics before = now();
        WireClient wire = client(Protocol.SIMPLE).wire();
        try (WireClient admin = WireClient.login(proxy().host(), proxy().port(), "admin", "admin", PASSWORD)) {
            assertThat(admin.simple(SHOW).ok().rows()).isEmpty();
            wire.query("COPY users FROM STDIN (FORMAT csv)").expect("G");
            String first = zero + ",1,a\n";
            String second = two + ",2,b\n" + two + ",3,c\n";
            wire.send(Frontend.copyData(first + second)).push();
            List<List<String>> expected = List.of(
                    List.of("public.users", "csv", "copying", "0", "1", "" + first.length()),
                    List.of("public.users", "csv", "copying", "1", "0", "0"),
                    List.of("public.users", "csv", "copying", "2", "2", "" + second.length()));
            await("the rows are counted", () -> admin.simple(SHOW).rows().equals(expected));
            assertThat(now().sum("copies_running", "database=\"prod\"")).isEqualTo(1);
            wire.send(Frontend.copyDone()).expect("C COPY 3", "Z I");
            assertThat(admin.simple(SHOW).ok().rows()).isEmpty();
            Metrics after = now();
            assertThat(after.sum("copies_running", "database=\"prod\"")).isZero();
            assertThat(after.sum("copies_total") - before.sum("copies_total")).isEqualTo(1);
            assertThat(after.sum("copy_rows_total", "shard=\"2\"") - before.sum("copy_rows_total", "shard=\"2\""))
                    .isEqualTo(2);
            assertThat(after.sum("copy_bytes_total", "shard=\"0\"") - before.sum("copy_bytes_total", "shard=\"0\""))
                    .isEqualTo(first.length());
        }
    }

    @Test
    void aCopyForEveryShardShowsItsBytes() {
        Metrics before = now();
        WireClient wire = client(Protocol.SIMPLE).wire();
        try (WireClient admin = WireClient.login(proxy().host(), proxy().port(), "admin", "admin", PASSWORD)) {
            wire.query("COPY countries (code) FROM STDIN").expect("G");
            wire.send(Frontend.copyData("one\ntwo\n")).push();
            await(
                    "the bytes are counted",
                    () -> admin.simple("SHOW COPIES bytes, rows").rows().stream()
                                    .filter(row -> "8".equals(row.get(0)) && row.get(1) == null)
                                    .count()
                            == 3);
            wire.send(Frontend.copyFail("enough"));
            assertThat(wire.answer().sqlState()).isEqualTo("57014");
            assertThat(admin.simple(SHOW).ok().rows()).isEmpty();
        }
        assertThat(now().sum("copy_bytes_total") - before.sum("copy_bytes_total"))
                .isEqualTo(24);
    }
}
