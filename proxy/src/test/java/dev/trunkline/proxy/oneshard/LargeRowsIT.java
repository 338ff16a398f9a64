package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import io.netty.util.internal.PlatformDependent;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Rows and values larger than any buffer pass through whole; a client that reads slowly fills its server, not us. */
@Shards(1)
@WithProxy(poolSize = 2)
class LargeRowsIT {

    private static final int LARGE = 64 << 20;
    /** What buffers may take in all while a large row passes: a few reads of each side. */
    private static final long BUFFERS = 32L << 20;

    private final PgShards shards;
    private final TestProxy proxy;

    LargeRowsIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
    }

    @Test
    void aLargeValuePassesWholeAndInLittleMemory() throws IOException {
        try (Socket socket = login()) {
            send(socket, Frontend.query("SELECT repeat('0123456789abcdef', " + LARGE / 16 + "), 'next to it'"));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            assertThat(in.readByte()).isEqualTo((byte) 'T');
            in.skipNBytes(in.readInt() - 4);
            long before = PlatformDependent.usedDirectMemory();
            assertThat(in.readByte()).isEqualTo((byte) 'D');
            assertThat(in.readInt()).isEqualTo(4 + 2 + 4 + LARGE + 4 + 10);
            assertThat(in.readShort()).isEqualTo((short) 2);
            assertThat(in.readInt()).isEqualTo(LARGE);
            long most = readPattern(in, before);
            assertThat(most).isLessThan(BUFFERS);
            in.skipNBytes(4 + 10);
            assertThat(in.readByte()).isEqualTo((byte) 'C');
        }
    }

    private static long readPattern(InputStream in, long before) throws IOException {
        byte[] part = new byte[1 << 16];
        long most = 0;
        for (int at = 0; at < LARGE; at += part.length) {
            assertThat(in.readNBytes(part, 0, part.length)).isEqualTo(part.length);
            assertThat(new String(part, 0, 16, java.nio.charset.StandardCharsets.US_ASCII))
                    .isEqualTo("0123456789abcdef");
            most = Math.max(most, PlatformDependent.usedDirectMemory() - before);
        }
        return most;
    }

    private Socket login() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(1 << 16);
        socket.connect(new InetSocketAddress(proxy.host(), proxy.port()), 5_000);
        socket.setSoTimeout(20_000);
        send(
                socket,
                Frontend.startup(Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)));
        DataInputStream in = new DataInputStream(socket.getInputStream());
        for (byte type = in.readByte(); type != 'Z'; type = in.readByte()) {
            in.skipNBytes(in.readInt() - 4);
        }
        in.skipNBytes(5);
        return socket;
    }

    private static void send(Socket socket, Frame frame) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(frame.bytes());
        out.flush();
    }

    @Test
    void aClientThatDoesNotReadHoldsUpItsServerAlone() throws Exception {
        try (Socket slow = login();
                WireClient other = proxy.login()) {
            long before = PlatformDependent.usedDirectMemory();
            send(slow, Frontend.query("SELECT repeat('x', 1000) FROM generate_series(1, 200000)"));
            // 200 MB are to come; the server stops when nobody takes them.
            AtomicLong stuck = new AtomicLong();
            TestProxy.await("the server waits", () -> {
                boolean waits = "1"
                        .equals(
                                shards.queryOne(
                                        0,
                                        "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'ClientWrite' AND query LIKE '%200000%'"));
                return waits && stuck.incrementAndGet() > 20;
            });
            assertThat(PlatformDependent.usedDirectMemory() - before).isLessThan(BUFFERS);
            for (int i = 0; i < 20; i++) {
                other.query("SELECT " + i).expect("T", "D " + i, "C SELECT 1", "Z I");
            }
            // It reads on: everything comes, and the connection serves others afterwards.
            DataInputStream in = new DataInputStream(slow.getInputStream());
            int rows = 0;
            for (byte type = in.readByte(); type != 'Z'; type = in.readByte()) {
                rows += type == 'D' ? 1 : 0;
                in.skipNBytes(in.readInt() - 4);
            }
            assertThat(rows).isEqualTo(200_000);
        }
        try (WireClient one = proxy.login();
                WireClient two = proxy.login()) {
            one.query("BEGIN").expect("C BEGIN", "Z T");
            two.query("BEGIN").expect("C BEGIN", "Z T");
            one.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z T");
            two.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z T");
        }
    }

    @Test
    void aServerThatDoesNotReadHoldsUpItsClient() throws Exception {
        shards.execute(0, "CREATE TABLE IF NOT EXISTS locked (a text); GRANT ALL ON locked TO PUBLIC");
        try (WireClient holder = proxy.login();
                Socket sender = login()) {
            holder.query("BEGIN; LOCK TABLE locked").expect("C BEGIN", "C LOCK TABLE", "Z T");
            long before = PlatformDependent.usedDirectMemory();
            Thread writing = new Thread(() -> pipeline(sender));
            writing.start();
            TestProxy.await(
                    "the first statement waits",
                    () -> "1".equals(shards.queryOne(0, "SELECT count(*) FROM pg_locks WHERE NOT granted")));
            // 50 MB are on their way: most of them stay with the client.
            writing.join(300);
            assertThat(writing.isAlive()).as("the client is held up").isTrue();
            assertThat(PlatformDependent.usedDirectMemory() - before).isLessThan(BUFFERS);
            holder.query("COMMIT").expect("C COMMIT", "Z I");
            DataInputStream in = new DataInputStream(sender.getInputStream());
            int ready = 0;
            while (ready < 500) {
                byte type = in.readByte();
                ready += type == 'Z' ? 1 : 0;
                in.skipNBytes(in.readInt() - 4);
            }
            writing.join(10_000);
            assertThat(writing.isAlive()).isFalse();
        }
        assertThat(shards.queryOne(0, "SELECT count(*) || ' ' || sum(length(a)) FROM locked"))
                .isEqualTo("500 50000000");
    }

    private static void pipeline(Socket sender) {
        String value = "x".repeat(100_000);
        try {
            for (int i = 0; i < 500; i++) {
                send(sender, Frontend.query("INSERT INTO locked VALUES ('" + value + "')"));
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aLargeStatementAndALargeParameterArrive() {
        String value = "y".repeat(20 << 20);
        try (WireClient client = proxy.login()) {
            assertThat(client.simple("SELECT length('" + value + "')").ok().value())
                    .isEqualTo(String.valueOf(20 << 20));
            assertThat(client.extended("SELECT length($1::text)", value).ok().value())
                    .isEqualTo(String.valueOf(20 << 20));
        }
    }
}
