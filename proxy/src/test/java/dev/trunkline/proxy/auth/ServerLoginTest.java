package dev.trunkline.proxy.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.backend.Authentication;
import dev.trunkline.protocol.backend.AuthenticationCleartextPassword;
import dev.trunkline.protocol.backend.AuthenticationMD5Password;
import dev.trunkline.protocol.backend.AuthenticationOk;
import dev.trunkline.protocol.backend.AuthenticationSASL;
import dev.trunkline.protocol.backend.AuthenticationSASLContinue;
import dev.trunkline.protocol.backend.AuthenticationSASLFinal;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.Severity;
import dev.trunkline.protocol.frontend.FrontendMessage;
import dev.trunkline.protocol.frontend.PasswordMessage;
import dev.trunkline.protocol.frontend.SASLInitialResponse;
import dev.trunkline.protocol.frontend.SASLResponse;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerLoginTest {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final SaltSource SALTS = SaltSource.random(RANDOM);
    private static final String PLAIN = "SCRAM-SHA-256";
    private static final String PLUS = "SCRAM-SHA-256-PLUS";
    private static final byte[] ENDPOINT = {1, 2, 3};

    private final ServerAccount account = new ServerAccount("app", List.of("sécret"));
    private final ServerLogin login = new ServerLogin(account, null, RANDOM);

    @Test
    void isDoneAtOnceWhereTheServerTrusts() {
        ServerLogin trusted = new ServerLogin(new ServerAccount("app", List.of()), null, RANDOM);
        assertThat(trusted.respond(new AuthenticationOk())).isNull();
        assertThat(trusted.isDone()).isTrue();
    }

    @Test
    void sendsThePasswordInClearIfAsked() {
        assertThat(login.respond(new AuthenticationCleartextPassword())).isEqualTo(new PasswordMessage("sécret"));
        assertThat(login.isDone()).isFalse();
        assertThat(login.respond(new AuthenticationOk())).isNull();
        assertThat(login.isDone()).isTrue();
    }

    @Test
    void sendsTheMd5FormIfAsked() {
        // SELECT 'md5' || md5(md5('secret' || 'app') || 'salt')
        ServerLogin md5 = new ServerLogin(new ServerAccount("app", List.of("secret")), null, RANDOM);
        assertThat(md5.respond(new AuthenticationMD5Password(ByteSlice.of("salt"))))
                .isEqualTo(new PasswordMessage("md57f097e06031b34893c20e25a0e68242c"));
    }

    @Test
    void logsInToOurOwnServerSide() {
        ScramServerExchange server = server("sécret");
        SASLInitialResponse first = (SASLInitialResponse) login.respond(server.offer());
        SASLResponse last = (SASLResponse) login.respond(Bodies.send(server, first));
        assertThat(login.respond(Bodies.send(server, last))).isNull();
        assertThat(server.isProven()).isTrue();
        assertThat(login.isDone()).isFalse();
        assertThat(login.respond(new AuthenticationOk())).isNull();
        assertThat(login.isDone()).isTrue();
    }

    @Test
    void isCostlyOnlyOnceForAnAccountAndASalt() {
        for (boolean costly : new boolean[] {true, false}) {
            ServerLogin each = new ServerLogin(account, null, RANDOM);
            ScramServerExchange server = server("sécret");
            assertThat(each.isCostly(server.offer())).isFalse();
            FrontendMessage first = each.respond(server.offer());
            Authentication challenge = Bodies.send(server, first);
            assertThat(each.isCostly(challenge)).isEqualTo(costly);
            FrontendMessage last = each.respond(challenge);
            assertThat(each.respond(Bodies.send(server, last))).isNull();
        }
    }

    @Test
    void doesNotBelieveAServerThatKnowsNotThePassword() {
        startWithChallenge();
        assertRefused(() -> login.respond(new AuthenticationSASLFinal(ByteSlice.of(Rfc7677.SERVER_FINAL))));
    }

    @Test
    void doesNotBelieveAServerThatLeavesOutItsProof() {
        startWithChallenge();
        assertRefused(() -> login.respond(new AuthenticationOk()));
        assertThat(login.isDone()).isFalse();
    }

    @Test
    void doesNotBelieveAServerThatSkipsTheChallenge() {
        login.respond(new AuthenticationSASL(List.of(PLAIN)));
        assertRefused(() -> login.respond(new AuthenticationSASLFinal(ByteSlice.of("v="))));
        assertRefused(() -> login.respond(new AuthenticationOk()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "r=OTHER,s=c2FsdA==,i=4096",
                "r=NONCE,s=c2FsdA==,i=4096",
                "r=NONCEx,s=,i=4096",
                "r=NONCEx,s=?,i=4096",
                "r=NONCEx,s=c2FsdA==,i=0",
                "r=NONCEx,s=c2FsdA==,i=-1",
                "r=NONCEx,s=c2FsdA==,i=1000001",
                "r=NONCEx,s=c2FsdA==,i=99999999999",
                "r=NONCEx,s=c2FsdA==,i=",
                "r=NONCEx,s=c2FsdA==",
                "r=NONCEx,i=4096",
                "m=x,r=NONCEx,s=c2FsdA==,i=4096",
                "e=other-error"
            })
    void refusesMalformedChallenges(String template) {
        String data = template.replace("NONCE", nonceOf(login.respond(new AuthenticationSASL(List.of(PLAIN)))));
        assertThat(login.isCostly(new AuthenticationSASLContinue(ByteSlice.of(data))))
                .isFalse();
        assertRefused(() -> login.respond(new AuthenticationSASLContinue(ByteSlice.of(data))));
    }

    @Test
    void refusesMessagesOutOfOrder() {
        AuthenticationSASLContinue challenge = new AuthenticationSASLContinue(ByteSlice.of("r=x"));
        assertRefused(() -> login.respond(challenge));
        assertRefused(() -> login.respond(new AuthenticationSASLFinal(ByteSlice.of("v=x"))));
        login.respond(new AuthenticationCleartextPassword());
        assertRefused(() -> login.respond(new AuthenticationCleartextPassword()));
        assertRefused(() -> login.respond(new AuthenticationSASL(List.of(PLAIN))));
        login.respond(new AuthenticationOk());
        assertRefused(() -> login.respond(new AuthenticationOk()));
    }

    @Test
    void doesNotGiveThePasswordAwayInTheMidstOfScram() {
        login.respond(new AuthenticationSASL(List.of(PLAIN)));
        assertRefused(() -> login.respond(new AuthenticationCleartextPassword()));
        assertRefused(() -> login.respond(new AuthenticationMD5Password(ByteSlice.of("salt"))));
    }

    @Test
    void refusesASecondChallenge() {
        AuthenticationSASLContinue challenge = startWithChallenge();
        assertRefused(() -> login.respond(challenge));
    }

    @Test
    void needsAPasswordWhereTheServerAsksForOne() {
        for (Authentication demand : List.of(
                new AuthenticationCleartextPassword(),
                new AuthenticationMD5Password(ByteSlice.of("salt")),
                new AuthenticationSASL(List.of(PLAIN)))) {
            for (String password : new String[] {null, ""}) {
                ServerLogin without = new ServerLogin(
                        new ServerAccount("app", password == null ? List.of() : List.of(password)), null, RANDOM);
                assertRefused(() -> without.respond(demand));
            }
        }
    }

    @Test
    void neverBindsToAChannelWithoutTls() {
        SASLInitialResponse first = (SASLInitialResponse) login.respond(new AuthenticationSASL(List.of(PLUS, PLAIN)));
        assertThat(first.mechanism()).isEqualTo(PLAIN);
        assertThat(first.data()).asString().startsWith("n,,n=,r=");
        ServerLogin second = new ServerLogin(account, null, RANDOM);
        assertRefused(() -> second.respond(new AuthenticationSASL(List.of(PLUS))));
        assertRefused(() -> second.respond(new AuthenticationSASL(List.of(PLAIN))));
    }

    @Test
    void bindsToTheChannelOverTls() {
        ServerLogin tls = new ServerLogin(account, ENDPOINT, RANDOM);
        SASLInitialResponse first = (SASLInitialResponse) tls.respond(new AuthenticationSASL(List.of(PLUS, PLAIN)));
        assertThat(first.mechanism()).isEqualTo(PLUS);
        assertThat(first.data()).asString().startsWith("p=tls-server-end-point,,n=,r=");
        String nonce = nonceOf(first);
        SASLResponse last = (SASLResponse)
                tls.respond(new AuthenticationSASLContinue(ByteSlice.of("r=" + nonce + "x,s=c2FsdA==,i=1")));
        byte[] bound = "p=tls-server-end-point,,\1\2\3".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(last.data()).asString().startsWith("c=" + ScramMessage.base64(bound) + ",r=" + nonce + "x,p=");
    }

    @Test
    void tellsAServerWithoutChannelBindingThatItCouldHave() {
        ServerLogin tls = new ServerLogin(account, ENDPOINT, RANDOM);
        SASLInitialResponse first = (SASLInitialResponse) tls.respond(new AuthenticationSASL(List.of(PLAIN)));
        assertThat(first.data()).asString().startsWith("y,,n=,r=");
    }

    private AuthenticationSASLContinue startWithChallenge() {
        String nonce = nonceOf(login.respond(new AuthenticationSASL(List.of(PLAIN))));
        AuthenticationSASLContinue challenge =
                new AuthenticationSASLContinue(ByteSlice.of("r=" + nonce + "x,s=c2FsdA==,i=1"));
        assertThat(login.respond(challenge)).isInstanceOf(SASLResponse.class);
        return challenge;
    }

    private static ScramServerExchange server(String password) {
        return new ScramServerExchange(
                "app", "db", Credentials.of("app", "db", List.of(password), SALTS), null, RANDOM);
    }

    private static String nonceOf(FrontendMessage first) {
        String data = String.valueOf(((SASLInitialResponse) first).data());
        return data.substring(data.indexOf("r=") + 2);
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatExceptionOfType(PgException.class).isThrownBy(call).satisfies(e -> {
            assertThat(e.state().code()).isEqualTo("08001");
            assertThat(e.severity()).isEqualTo(Severity.ERROR);
            assertThat(e.text()).isEqualTo("cannot log in to the server as user \"app\"");
            assertThat(e.detail()).doesNotContain("sécret");
        });
    }
}
