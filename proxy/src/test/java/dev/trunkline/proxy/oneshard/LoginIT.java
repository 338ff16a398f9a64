package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may log in, and that a refusal tells nobody which users and databases exist. */
@Shards(1)
class LoginIT {

    private final PgShards shards;

    LoginIT(PgShards shards) {
        this.shards = shards;
    }

    private TestProxy.Setup scram() {
        return TestProxy.over(shards).general("auth_type", "scram").user("password", "right");
    }

    @Test
    void logsInByScram() {
        try (TestProxy proxy = scram().start();
                WireClient client =
                        WireClient.login(proxy.host(), proxy.port(), PgShards.APP, TestProxy.DATABASE, "right")) {
            client.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
        }
    }

    @Test
    void answersEveryWrongLoginAlike() {
        try (TestProxy proxy = scram().start()) {
            List<String> wrongPassword = refusal(proxy, PgShards.APP, TestProxy.DATABASE);
            assertThat(wrongPassword).hasSize(3).last().asString().startsWith("E 28P01 ");
            assertThat(refusal(proxy, "nobody", TestProxy.DATABASE)).isEqualTo(wrongPassword);
            assertThat(refusal(proxy, PgShards.APP, "nowhere")).isEqualTo(wrongPassword);
            assertThat(refusal(proxy, "nobody", "nowhere")).isEqualTo(wrongPassword);
        }
    }

    /** What the proxy says until it closes, with the names, the salt and the nonce taken out. */
    private static List<String> refusal(TestProxy proxy, String user, String database) {
        List<String> said = new ArrayList<>();
        try (WireClient client = proxy.connect()) {
            client.send(Frontend.startup(Frontend.PROTOCOL_3_0, Map.of("user", user, "database", database)));
            said.add(masked(client.readAny(), user, database));
            client.send(sasl("SCRAM-SHA-256", "n,,n=,r=clientnonce"));
            Frame challenge = client.readAny();
            said.add(masked(challenge, user, database));
            client.send(Frame.of('p').bytes(wrongProof(challenge)).build());
            said.add(masked(client.readAny(), user, database));
            client.expectClosed();
        }
        return said;
    }

    /** A well-formed final message with a proof that no password makes. */
    private static byte[] wrongProof(Frame challenge) {
        String nonce = text(challenge).replaceAll("(?s).*(r=[^,]+),.*", "$1");
        return ("c=biws," + nonce + ",p=" + Base64.getEncoder().encodeToString(new byte[32]))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String text(Frame frame) {
        return new String(frame.body(), StandardCharsets.ISO_8859_1);
    }

    private static Frame sasl(String mechanism, String message) {
        return Frame.of('p')
                .string(mechanism)
                .value(message.getBytes(StandardCharsets.UTF_8))
                .build();
    }

    private static String masked(Frame frame, String user, String database) {
        if (frame.type() == 'E') {
            return frame.toString().replace('"' + user + '"', "<user>").replace('"' + database + '"', "<database>");
        }
        return text(frame).replaceAll("r=clientnonce[^,]+", "r=nonce").replaceAll("s=[^,]+", "s=salt");
    }

    @Test
    void offersTheSameSaltToAnUnknownUserEachTime() {
        try (TestProxy proxy = scram().start()) {
            assertThat(salt(proxy, "nobody")).isEqualTo(salt(proxy, "nobody")).isNotEqualTo(salt(proxy, "nobody2"));
        }
    }

    private static String salt(TestProxy proxy, String user) {
        try (WireClient client = proxy.connect()) {
            client.send(Frontend.startup(Frontend.PROTOCOL_3_0, Map.of("user", user, "database", TestProxy.DATABASE)));
            client.expect("R");
            client.send(sasl("SCRAM-SHA-256", "n,,n=,r=clientnonce"));
            return text(client.readAny()).replaceAll("(?s).*,s=([^,]+),.*", "$1");
        }
    }

    @ParameterizedTest
    @CsvSource({"nobody,db", "app,nowhere"})
    void refusesUnknownNamesAlsoWhenNobodyMustProveAnything(String user, String database) {
        try (TestProxy proxy = TestProxy.over(shards).start();
                WireClient client = proxy.connect()) {
            client.send(Frontend.startup(Frontend.PROTOCOL_3_0, Map.of("user", user, "database", database)));
            client.expect("E 28P01").expectClosed();
        }
    }

    @ParameterizedTest
    @CsvSource({"app_scram", "app_md5"})
    void provesItselfToTheServer(String serverUser) {
        try (TestProxy proxy = TestProxy.over(shards)
                        .user("server_user", serverUser)
                        .user("server_password", "secret")
                        .start();
                WireClient client = proxy.login()) {
            assertThat(client.simple("SELECT current_user").value()).isEqualTo(serverUser);
            // A second login with keys that are kept: the connection is new.
            shards.execute(
                    0, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + serverUser + "'");
            TestProxy.await("the pool has noticed", () -> proxy.idle() == 0);
            assertThat(client.simple("SELECT current_user").value()).isEqualTo(serverUser);
        }
    }

    @Test
    void saysWhenTheServerRefusesTheProxy() {
        try (TestProxy proxy = TestProxy.over(shards)
                        .user("server_user", "app_scram")
                        .user("server_password", "wrong")
                        .start();
                WireClient client = proxy.connect()) {
            Frame answer = client.authenticate(Map.of("user", PgShards.APP, "database", TestProxy.DATABASE), "");
            assertThat(answer).hasToString("R 0");
            client.expect("E 08001").expectClosed();
        }
    }

    @Test
    void refusesOtherMessagesWhileAProofIsDue() {
        try (TestProxy proxy = scram().start()) {
            for (Frame stray : List.of(Frontend.query("SELECT 1"), Frontend.sync(), Frontend.copyData("x"))) {
                try (WireClient client = proxy.connect()) {
                    client.send(Frontend.startup(
                            Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)));
                    client.expect("R 10").send(stray).expect("E 08P01").expectClosed();
                }
            }
            try (WireClient client = proxy.connect()) {
                client.send(Frontend.startup(
                        Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)));
                client.expect("R 10")
                        .sendHex("70 00 01 00 05")
                        .expect("E 08P01")
                        .expectClosed();
            }
        }
    }

    @Test
    void refusesClientsBeyondTheLimit() {
        try (TestProxy proxy = TestProxy.over(shards)
                        .general("max_client_connections", 2)
                        .start();
                WireClient first = proxy.login();
                WireClient second = proxy.login()) {
            try (WireClient third = proxy.connect()) {
                third.send(Frontend.startup(
                        Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)));
                third.expect("E 53300").expectClosed();
            }
            second.query("SELECT pg_sleep(20)").push();
            TestProxy.await("the statement runs", () -> proxy.leased() == 1);
            second.cancel();
            second.expect("T", "E 57014", "Z I");
            first.terminate();
            TestProxy.await("there is room again", () -> canLogIn(proxy));
        }
    }

    private static boolean canLogIn(TestProxy proxy) {
        try (WireClient client = proxy.connect()) {
            client.send(Frontend.startup(
                    Frontend.PROTOCOL_3_0, Map.of("user", PgShards.APP, "database", TestProxy.DATABASE)));
            return client.readAny().type() == 'R';
        }
    }

    @Test
    void endsALoginThatTakesTooLong() {
        try (TestProxy proxy = TestProxy.over(shards)
                        .general("client_login_timeout", 200)
                        .start();
                WireClient silent = proxy.connect();
                WireClient half = proxy.connect()) {
            half.sendHex("00 00 00 20 00 03").push();
            silent.expect("E 57014").expectClosed();
            half.expect("E 57014").expectClosed();
        }
    }
}
