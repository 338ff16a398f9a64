package dev.trunkline.proxy.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import io.vertx.core.json.JsonArray;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords by every way of asking, from every form that they are kept in; a wrong one is refused by all alike. */
@Shards(1)
class PasswordsIT {

    private final PgShards shards;

    PasswordsIT(PgShards shards) {
        this.shards = shards;
    }

    private TestProxy.Setup asking(String type, Object password) {
        return TestProxy.over(shards)
                .general("auth_type", type)
                .user("name", "app_md5")
                .user("server_user", PgShards.APP)
                .user("password", password);
    }

    private static Frame login(TestProxy proxy, String user, String password) {
        try (WireClient client = proxy.connect()) {
            Frame answer = client.authenticate(Map.of("user", user, "database", TestProxy.DATABASE), password);
            if (answer.type() == 'R') {
                client.ready().query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
            } else {
                client.expectClosed();
            }
            return answer;
        }
    }

    /** What pg_authid has for the password "secret" of app_md5 and of app_scram. */
    private String stored(String role) {
        return shards.queryOne(0, "SELECT rolpassword FROM pg_authid WHERE rolname = '" + role + "'");
    }

    @ParameterizedTest
    @CsvSource({
        "scram,plain,10",
        "scram,app_scram,10",
        "md5,plain,5",
        "md5,app_md5,5",
        "md5,app_scram,10",
        "plain,plain,3",
        "plain,app_md5,3",
        "plain,app_scram,3"
    })
    void letsInWhoKnowsThePasswordAndNobodyElse(String type, String form, int method) {
        String entry = form.equals("plain") ? "secret" : stored(form);
        try (TestProxy proxy = asking(type, entry).start()) {
            try (WireClient client = proxy.connect()) {
                client.send(Frontend.startup(
                        Frontend.PROTOCOL_3_0, Map.of("user", "app_md5", "database", TestProxy.DATABASE)));
                assertThat(client.readAny().reader().int32()).isEqualTo(method);
            }
            assertThat(login(proxy, "app_md5", "secret")).hasToString("R 0");
            for (String wrong : new String[] {"Secret", "secret ", "x", entry}) {
                if (!wrong.equals("secret")) {
                    assertThat(login(proxy, "app_md5", wrong)).asString().startsWith("E 28P01");
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"scram", "md5", "plain"})
    void takesAnyOfSeveralPasswords(String type) {
        try (TestProxy proxy =
                asking(type, new JsonArray().add("old").add("new")).start()) {
            assertThat(login(proxy, "app_md5", "old")).hasToString("R 0");
            assertThat(login(proxy, "app_md5", "new")).hasToString("R 0");
            assertThat(login(proxy, "app_md5", "other")).asString().startsWith("E 28P01");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"md5", "plain"})
    void tellsNobodyWhichUsersExist(String type) {
        try (TestProxy proxy = asking(type, "secret").start()) {
            String wrong = login(proxy, "app_md5", "wrong").toString().replace("app_md5", "?");
            assertThat(login(proxy, "nobody", "wrong").toString().replace("nobody", "?"))
                    .isEqualTo(wrong);
            assertThat(login(proxy, "nobody", "").toString().replace("nobody", "?"))
                    .isEqualTo(wrong);
        }
    }

    @Test
    void asksWithAnotherSaltEachTime() {
        try (TestProxy proxy = asking("md5", "secret").start()) {
            assertThat(challenge(proxy)).isNotEqualTo(challenge(proxy));
        }
    }

    private static byte[] challenge(TestProxy proxy) {
        try (WireClient client = proxy.connect()) {
            client.send(
                    Frontend.startup(Frontend.PROTOCOL_3_0, Map.of("user", "app_md5", "database", TestProxy.DATABASE)));
            return client.readAny().body();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"70 00 00 00 04", "70 00 00 00 05 00", "70 00 00 00 06 61 61", "70 00 00 00 07 61 00 61"})
    void refusesMalformedPasswordMessages(String hex) {
        try (TestProxy proxy = asking("plain", "secret").start();
                WireClient client = proxy.connect()) {
            client.send(
                    Frontend.startup(Frontend.PROTOCOL_3_0, Map.of("user", "app_md5", "database", TestProxy.DATABASE)));
            client.expect("R").sendHex(hex);
            assertThat(client.readAny()).asString().startsWith(hex.equals("70 00 00 00 05 00") ? "E 28P01" : "E 08P01");
            client.expectClosed();
        }
    }

    /** A pipelined statement waits for the judgement of a password that takes a worker thread. */
    @Test
    void takesStatementsSentAlongWithAPasswordThatIsCostlyToCompare() {
        try (TestProxy proxy = asking("plain", stored("app_scram")).start();
                WireClient client = proxy.connect()) {
            client.send(
                    Frontend.startup(Frontend.PROTOCOL_3_0, Map.of("user", "app_md5", "database", TestProxy.DATABASE)));
            client.expect("R")
                    .send(Frontend.password("secret"))
                    .query("SELECT 7")
                    .expect("R 0");
            client.ready().expect("T", "D 7", "C SELECT 1", "Z I");
        }
    }

    @Test
    void takesNewUsersAndPasswordsAtAReload() {
        TestProxy.Setup setup = asking("scram", "first").alsoUser("other", PgShards.APP, "its own");
        try (TestProxy proxy = setup.start()) {
            assertThat(login(proxy, "app_md5", "first")).hasToString("R 0");
            assertThat(login(proxy, "added", "x")).asString().startsWith("E 28P01");
            setup.user("password", "second").alsoUser("added", PgShards.APP, "x");
            assertThat(proxy.reload(setup)).isTrue();
            assertThat(login(proxy, "app_md5", "first")).asString().startsWith("E 28P01");
            assertThat(login(proxy, "app_md5", "second")).hasToString("R 0");
            assertThat(login(proxy, "added", "x")).hasToString("R 0");
            assertThat(login(proxy, "other", "its own")).hasToString("R 0");
        }
    }
}
