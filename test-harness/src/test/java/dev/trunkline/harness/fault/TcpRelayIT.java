package dev.trunkline.harness.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.WireClient;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Shards(1)
class TcpRelayIT {

    private final PgShards shards;
    private TcpRelay relay;

    TcpRelayIT(PgShards shards) {
        this.shards = shards;
    }

    @BeforeEach
    void start() {
        relay = TcpRelay.to(shards.host(), shards.port(0));
    }

    @AfterEach
    void stop() {
        relay.close();
    }

    @Test
    void relaysAndCounts() {
        try (WireClient client = login()) {
            long before = relay.bytes(Direction.TO_SERVER);
            assertThat(client.simple("SELECT 1").value()).isEqualTo("1");
            assertThat(relay.bytes(Direction.TO_SERVER) - before).isEqualTo(1 + 4 + "SELECT 1".length() + 1);
            assertThat(relay.connections()).isEqualTo(1);
            assertThat(relay.live()).isEqualTo(1);
        }
    }

    @Test
    void cutsAfterTheGivenByteInOrder() {
        try (WireClient client = login()) {
            // EmptyQueryResponse is five bytes; ReadyForQuery behind it does not come through.
            relay.cutAfter(Direction.TO_CLIENT, 1 + 4, Cut.FIN);
            client.query("");
            client.expect("I");
            client.expectClosed();
        }
    }

    @Test
    void cutsWithinAFrameByReset() {
        try (WireClient client = login()) {
            relay.cutAfter(Direction.TO_CLIENT, 3, Cut.RST);
            assertThatThrownBy(() -> client.simple("SELECT 7")).isInstanceOf(AssertionError.class);
        }
    }

    @Test
    void cutsAllThatLive() {
        try (WireClient one = login();
                WireClient two = login()) {
            relay.cutAll(Cut.FIN);
            one.expectClosed();
            two.expectClosed();
        }
    }

    @Test
    void freezesAndThaws() {
        try (WireClient client = login()) {
            relay.freeze(Direction.TO_CLIENT);
            client.query("SELECT 1").expectSilence(Duration.ofMillis(100));
            relay.thaw(Direction.TO_CLIENT);
            client.expect("T", "D 1", "C", "Z");
        }
    }

    @Test
    void holdsAStatementBeforeTheServerSeesIt() {
        shards.execute(0, "CREATE TABLE held (n int)");
        try (WireClient client = login()) {
            client.simple("BEGIN; INSERT INTO held VALUES (1)").ok();
            relay.holdBefore(Direction.TO_SERVER, "COMMIT");
            client.query("COMMIT").push();
            relay.awaitHold(Direction.TO_SERVER);
            assertThat(shards.queryOne(0, "SELECT count(*) FROM held")).isEqualTo("0");
            relay.thaw(Direction.TO_SERVER);
            client.expect("C COMMIT", "Z I");
            assertThat(shards.queryOne(0, "SELECT count(*) FROM held")).isEqualTo("1");
        }
    }

    @Test
    void delays() {
        try (WireClient client = login()) {
            relay.delay(Direction.TO_CLIENT, Duration.ofMillis(50));
            long start = System.nanoTime();
            client.simple("SELECT 1").ok();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
        }
    }

    @Test
    void refusesAndAcceptsAgain() {
        relay.refuse();
        assertThatThrownBy(this::login).isInstanceOf(UncheckedIOException.class);
        relay.accept();
        login().close();
    }

    private WireClient login() {
        return WireClient.login("127.0.0.1", relay.port(), "app", shards.database());
    }
}
