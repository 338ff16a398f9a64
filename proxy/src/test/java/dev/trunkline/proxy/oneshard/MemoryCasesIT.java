package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.Memory;
import dev.trunkline.proxy.fixture.TestProxy;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What has made others grow until they were killed, each under the name of its case. */
@Shards(1)
class MemoryCasesIT {

    private static final boolean FULL = "full".equals(System.getProperty("scale"));

    private final PgShards shards;

    MemoryCasesIT(PgShards shards) {
        this.shards = shards;
    }

    private static Socket slowClient(TestProxy proxy) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(1 << 16);
        socket.connect(new InetSocketAddress(proxy.host(), proxy.port()), 5_000);
        socket.setSoTimeout(60_000);
        socket.getOutputStream()
                .write(Frontend.startup(
                                Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE))
                        .bytes());
        DataInputStream in = new DataInputStream(socket.getInputStream());
        for (byte type = in.readByte(); ; type = in.readByte()) {
            in.skipNBytes(in.readInt() - 4L);
            if (type == 'Z') {
                return socket;
            }
        }
    }

    private static void assertServed(WireClient client) {
        client.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
    }

    @Test
    @DisplayName("me-huge-row-passthrough")
    void hugeRowsForSlowClientsAreNotKept() throws IOException {
        int clients = FULL ? 40 : 10;
        int row = 32 << 20;
        List<Socket> slow = new ArrayList<>();
        try (TestProxy proxy =
                        TestProxy.over(shards).user("pool_size", clients + 1).start();
                WireClient other = proxy.login()) {
            assertServed(other);
            long before = Memory.direct();
            long heap = Memory.heap();
            for (int i = 0; i < clients; i++) {
                Socket socket = slowClient(proxy);
                slow.add(socket);
                socket.getOutputStream()
                        .write(Frontend.query("SELECT repeat('x', " + row + ")").bytes());
            }
            TestProxy.await(
                    "all servers wait for their clients to read",
                    () -> String.valueOf(clients)
                            .equals(shards.queryOne(
                                    0, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'ClientWrite'")));
            assertThat(Memory.direct() - before).isLessThan(clients * (2L << 20) + (16L << 20));
            assertThat(Memory.heap() - heap).isLessThan(32L << 20);
            assertServed(other);
            for (Socket socket : slow) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                long rows = 0;
                for (byte type = in.readByte(); type != 'Z'; type = in.readByte()) {
                    int length = in.readInt() - 4;
                    in.skipNBytes(length);
                    rows += type == 'D' && length == 2 + 4 + row ? 1 : 0;
                }
                assertThat(rows).isEqualTo(1);
                socket.close();
            }
        }
    }

    @Test
    @DisplayName("me-growth-after-upgrade")
    void nothingGrowsUnderTheTurmoilOfALongDay() {
        Duration half = FULL ? Duration.ofMinutes(10) : Duration.ofSeconds(6);
        TestProxy.Setup setup = TestProxy.over(shards).user("pool_size", 2).general("workers", 2);
        try (TestProxy proxy = setup.start()) {
            Random random = new Random(11);
            turmoil(proxy, setup, random, half);
            long heap = Memory.heap();
            long direct = Memory.direct();
            turmoil(proxy, setup, random, half);
            assertThat(Memory.heap() - heap).as("heap").isLessThan(12L << 20);
            assertThat(Memory.direct() - direct).as("outside of the heap").isLessThan(4L << 20);
        }
    }

    /** Clients come and go, in order and without a word; statements that nobody has sent before, errors, cancels. */
    private static void turmoil(TestProxy proxy, TestProxy.Setup setup, Random random, Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        for (int round = 0; System.nanoTime() < end; round++) {
            WireClient client = proxy.login();
            for (int i = 0; i < 10; i++) {
                int unique = random.nextInt();
                switch (random.nextInt(6)) {
                    case 0 ->
                        client.simple("SELECT " + unique + " AS c" + Math.abs(unique))
                                .ok();
                    case 1 ->
                        client.extended("SELECT $1::int AS d" + Math.abs(unique), 1)
                                .ok();
                    case 2 ->
                        client.parse("s" + unique, "SELECT $1::text AS e" + Math.abs(unique))
                                .sync()
                                .expect("1", "Z I");
                    case 3 -> client.simple("SELECT 1/0 AS f" + unique);
                    case 4 -> client.cancel();
                    default ->
                        client.simple("SET application_name = 'n" + unique + "'")
                                .ok();
                }
            }
            if (round % 2 == 0) {
                client.query("SELECT pg_sleep(0)").push();
                client.reset();
            } else {
                client.close();
            }
            if (round % 20 == 0) {
                assertThat(proxy.reload(setup)).isTrue();
            }
        }
        TestProxy.await("nothing is left", () -> proxy.leftovers().isEmpty());
    }
}
