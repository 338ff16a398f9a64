package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.fault.Cut;
import dev.trunkline.harness.fault.Direction;
import dev.trunkline.harness.fault.TcpRelay;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.WireClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * The client or one shard is cut off at any byte of a COPY before its end: nothing is stored anywhere, no connection
 * stays behind, and the next COPY is as if nothing had been. {@code -Dscale=full} makes it 500 cuts, {@code -Dseed}
 * repeats a run.
 */
class CopyCutsIT extends Scenario {

    private static final int CUTS = "full".equals(System.getProperty("scale")) ? 500 : 40;
    private static final int ROWS = 900;
    private static final int QUERY_BYTES = 60;

    private final List<TcpRelay> relays = new ArrayList<>();

    @Override
    void prepare(Deployment deployment) {
        deployment
                .shards()
                .executeAll(
                        "CREATE TABLE loads (tenant_id varchar, id bigint, note text); GRANT ALL ON loads TO PUBLIC");
        deployment.guard().translated("loads", "tenant_id", "varchar", Deployment.TENANTS);
        for (int shard = 0; shard < 3; shard++) {
            TcpRelay relay =
                    TcpRelay.to(deployment.shards().host(), deployment.shards().port(shard));
            relays.add(relay);
            deployment.reachShard(shard, relay.port());
        }
    }

    @AfterAll
    void closeRelays() {
        relays.forEach(TcpRelay::close);
    }

    @Test
    void nothingStaysOfACopyThatIsCut() {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        String[] tenants = IntStream.range(0, 3)
                .mapToObj(shard -> tenants().family(shard).child())
                .toArray(String[]::new);
        try (TcpRelay front = TcpRelay.to(proxy().host(), proxy().port())) {
            for (int cut = 0; cut < CUTS; cut++) {
                Protocol protocol = random.nextBoolean() ? Protocol.SIMPLE : Protocol.EXTENDED;
                boolean csv = random.nextBoolean();
                byte[] data = rows(random, tenants, csv);
                String sql = "COPY loads FROM STDIN" + (csv ? " (FORMAT csv)" : "");
                int shard = random.nextInt(4) - 1;
                Cut how = random.nextBoolean() ? Cut.FIN : Cut.RST;
                String what = "seed " + seed + ", cut " + cut + " of " + (shard < 0 ? "the client" : "shard " + shard)
                        + ", " + how;
                if (shard < 0) {
                    cutClient(front, random.nextInt(data.length + QUERY_BYTES), how, protocol, sql, data);
                } else {
                    cutShard(what, shard, random, how, protocol, sql, data);
                }
                nothingIsLeft(what);
                works(what, protocol, sql, data);
            }
        }
    }

    private static byte[] rows(Random random, String[] tenants, boolean csv) {
        char divider = csv ? ',' : '\t';
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < ROWS; i++) {
            rows.append(tenants[i % 3]).append(divider).append(i).append(divider);
            rows.append(csv ? "\"a\n\"\"b\"" : "a\\nb")
                    .append("c".repeat(random.nextInt(300)))
                    .append('\n');
        }
        return rows.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void cutClient(TcpRelay front, int bytes, Cut how, Protocol protocol, String sql, byte[] data) {
        try (WireClient wire = WireClient.login("127.0.0.1", front.port(), "app", Deployment.DATABASE)) {
            front.cutAfter(Direction.TO_SERVER, bytes, how);
            Answer answer = Copying.copy(wire, protocol, sql, data, () -> 3_000);
            throw new AssertionError("answered: " + answer);
        } catch (RuntimeException | AssertionError e) {
            if (String.valueOf(e.getMessage()).startsWith("answered")) {
                throw e;
            }
        }
    }

    private void cutShard(String what, int shard, Random random, Cut how, Protocol protocol, String sql, byte[] data) {
        Client client = client(protocol);
        client.run("SELECT count(*) FROM pg_catalog.pg_class").ok();
        // A third of the rows goes to each shard, and something before them.
        relays.get(shard).cutAfter(Direction.TO_SERVER, random.nextInt(data.length / 4), how);
        Answer answer = Copying.copy(client.wire(), protocol, sql, data, () -> 3_000);
        assertThat(answer.sqlState()).as(what + ": " + answer.message()).isIn("08006", "08001", "57P01");
        assertThat(answer.status()).as(what).isEqualTo('I');
        assertThat(client.run("SELECT id FROM loads").ok().rows()).as(what).isEmpty();
        client.close();
    }

    private void nothingIsLeft(String what) {
        for (int shard = 0; shard < 3; shard++) {
            int each = shard;
            await(
                    what + ": no session is left in a transaction on shard " + shard,
                    () -> sessions(each, "state <> 'idle' AND application_name NOT LIKE 'trunkline%'") == 0);
        }
        assertThat(counts("loads", "true")).as(what).containsOnly(0L);
    }

    private void works(String what, Protocol protocol, String sql, byte[] data) {
        Client client = client(protocol);
        Answer answer = Copying.copy(client.wire(), protocol, sql, data, () -> 8_192);
        assertThat(answer.tags()).as(what + ": " + answer.message()).containsExactly("COPY " + ROWS);
        assertThat(counts("loads", "true")).as(what).containsOnly(ROWS / 3L);
        deployment().closeClients();
        backdoor().execute("TRUNCATE loads");
        deployment().invariants().assertHold();
    }
}
