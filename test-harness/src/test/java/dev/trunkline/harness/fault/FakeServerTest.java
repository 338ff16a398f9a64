package dev.trunkline.harness.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.harness.wire.Notation;
import dev.trunkline.harness.wire.WireClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FakeServerTest {

    @Test
    void answersByScriptInBothProtocols() {
        Scripted script = new Scripted()
                .on("FROM users", new Rows(List.of("id", "name"), List.of(List.of("1", "ada"))))
                .on("broken", new Fail("ERROR", "XX001", "data corrupted"));
        try (FakeServer server = FakeServer.start(script);
                WireClient client = login(server)) {
            client.query("SELECT * FROM users").expect("T id:25|name:25", "D 1|ada", "C SELECT 1", "Z I");
            client.query("BEGIN").expect("C BEGIN", "Z T");
            client.parse("", "SELECT * FROM users WHERE id = $1")
                    .bind("", "", 1)
                    .describe("")
                    .execute("")
                    .sync()
                    .expect("1", "2", "T", "D 1|ada", "C SELECT 1", "Z T");
            client.query("SELECT broken").expect("E XX001", "Z");
            assertThat(server.statements()).hasSize(4).contains("BEGIN", "SELECT broken");
        }
    }

    @Test
    void playsEachMisbehaviour() {
        Scripted script = new Scripted()
                .on("half", new CloseMidRow())
                .on("garbage", new GarbageFrame())
                .on("nothing", new NeverAnswer());
        try (FakeServer server = FakeServer.start(script)) {
            try (WireClient client = login(server)) {
                client.query("half").expect("T", "D cut in two");
                assertThatThrownBy(client::read).hasMessageContaining("within a frame");
            }
            try (WireClient client = login(server)) {
                assertThatThrownBy(() -> client.simple("garbage")).hasMessageContaining("with length 1");
            }
            try (WireClient client = login(server)) {
                client.query("nothing").expectSilence(Duration.ofMillis(50));
            }
            server.behave(new CloseAfterStartup());
            try (WireClient client = WireClient.connect("127.0.0.1", server.port())) {
                assertThatThrownBy(() -> client.startup("u", "d", "")).hasMessageContaining("closed");
            }
            server.behave(new RefuseLogin("57P03", "the database system is starting up"));
            try (WireClient client = WireClient.connect("127.0.0.1", server.port())) {
                assertThat(Notation.fits(client.authenticate(Map.of("user", "u"), ""), "E 57P03"))
                        .isTrue();
            }
            assertThat(server.connections()).isEqualTo(5);
        }
    }

    private static WireClient login(FakeServer server) {
        return WireClient.login("127.0.0.1", server.port(), "u", "d");
    }
}
