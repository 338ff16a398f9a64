package dev.trunkline.proxy.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.ongres.scram.client.ScramClient;
import com.ongres.scram.common.exception.ScramException;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.backend.Authentication;
import dev.trunkline.protocol.backend.AuthenticationSASL;
import dev.trunkline.protocol.backend.AuthenticationSASLContinue;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.Severity;
import dev.trunkline.protocol.frontend.SASLInitialResponse;
import dev.trunkline.protocol.frontend.SASLResponse;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScramServerExchangeTest {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final SaltSource SALTS = SaltSource.random(RANDOM);
    private static final Credentials PENCIL = Credentials.of("user", "db", List.of(Rfc7677.STORED), SALTS);
    private static final Credentials SECRET = Credentials.of("user", "db", List.of("old", "sécret"), SALTS);

    private final ScramServerExchange rfc = new ScramServerExchange("user", "db", PENCIL, null, Rfc7677.SERVER_NONCE);

    @Test
    void offersScramWithoutChannelBinding() {
        assertThat(rfc.offer()).isEqualTo(new AuthenticationSASL(List.of("SCRAM-SHA-256")));
    }

    @Test
    void followsTheExampleOfTheRfc() {
        assertThat(Bodies.first(rfc, Rfc7677.CLIENT_FIRST)).isEqualTo(Rfc7677.SERVER_FIRST);
        assertThat(rfc.isProven()).isFalse();
        assertThat(Bodies.last(rfc, Rfc7677.WITHOUT_PROOF + ",p=" + Rfc7677.PROOF))
                .isEqualTo(Rfc7677.SERVER_FINAL);
        assertThat(rfc.isProven()).isTrue();
        assertThatIllegalStateException().isThrownBy(() -> Bodies.last(rfc, "x"));
    }

    @Test
    void asksAgainIfTheClientChoosesWithoutData() {
        assertThat(Bodies.send(rfc, new SASLInitialResponse("SCRAM-SHA-256", null)))
                .isEqualTo(new AuthenticationSASLContinue(ByteSlice.EMPTY));
        SASLResponse first = new SASLResponse(ByteSlice.of(Rfc7677.CLIENT_FIRST));
        assertThat(Bodies.send(rfc, first))
                .isEqualTo(new AuthenticationSASLContinue(ByteSlice.of(Rfc7677.SERVER_FIRST)));
    }

    @Test
    void letsAnyOfSeveralPasswordsIn() throws ScramException {
        assertThat(login(SECRET, "old")).isTrue();
        assertThat(login(SECRET, "sécret")).isTrue();
        assertThat(login(Credentials.of("user", "db", List.of(Rfc7677.STORED, "other"), SALTS), "pencil"))
                .isTrue();
        assertThat(login(Credentials.of("user", "db", List.of("other", Rfc7677.STORED), SALTS), "other"))
                .isTrue();
    }

    @Test
    void refusesAWrongPassword() {
        assertLoginFailed(SECRET, "secret");
    }

    @Test
    void refusesAnUnknownUserAfterAFullExchangeWithTheSameError() {
        Credentials mock = Credentials.mock("nobody", "db", SALTS);
        PgException unknown = assertLoginFailed(mock, "secret");
        PgException wrong = assertLoginFailed(SECRET, "secret");
        assertThat(unknown.text()).isEqualTo(wrong.text());
        assertThat(unknown.detail()).isEqualTo(wrong.detail());
        assertThat(unknown.hint()).isEqualTo(wrong.hint());
    }

    @Test
    void asksAnUnknownUserLikeAKnownOne() {
        String known = question("user", Credentials.of("user", "db", List.of("x"), SALTS));
        String unknown = question("nobody", Credentials.mock("nobody", "db", SALTS));
        assertThat(unknown).hasSameSizeAs(known).endsWith(",i=4096");
        assertThat(question("nobody", Credentials.mock("nobody", "db", SALTS))).isEqualTo(unknown);
        assertThat(question("nobody", Credentials.mock("nobody", "other", SALTS)))
                .isNotEqualTo(unknown);
        assertThat(question("user", Credentials.mock("user", "db", SALTS))).isEqualTo(known);
    }

    @Test
    void takesAFreshNonceEachTime() {
        ScramServerExchange first = new ScramServerExchange("user", "db", PENCIL, null, RANDOM);
        ScramServerExchange second = new ScramServerExchange("user", "db", PENCIL, null, RANDOM);
        assertThat(Bodies.first(first, Rfc7677.CLIENT_FIRST)).isNotEqualTo(Bodies.first(second, Rfc7677.CLIENT_FIRST));
    }

    @Test
    void acceptsClientsThatCouldBindToTheChannelAndNamesThatAreIgnored() {
        assertThat(Bodies.first(rfc, "y,,n=,r=abc")).startsWith("r=abc%");
        ScramServerExchange second = new ScramServerExchange("user", "db", PENCIL, null, "s");
        assertThat(Bodies.first(second, "n,,n=*,r=abc,x=later")).startsWith("r=abcs,");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "n",
                "n,",
                "n,,",
                "n,,n=user",
                "n,,r=abc,n=user",
                "n,,n=user,r=",
                "n,,n=user,r=a b",
                "n,,n=user,r=\u0001",
                "n,,n=user,r=é",
                "n,,m=ext,n=user,r=abc",
                "p=tls-server-end-point,,n=user,r=abc",
                "p,,n=user,r=abc",
                "x,,n=user,r=abc",
                "nn,,n=user,r=abc"
            })
    void refusesMalformedFirstMessages(String data) {
        assertMalformed(() -> Bodies.first(rfc, data));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "c=biws",
                Rfc7677.WITHOUT_PROOF,
                Rfc7677.WITHOUT_PROOF + ",p=",
                Rfc7677.WITHOUT_PROOF + ",p=????",
                Rfc7677.WITHOUT_PROOF + ",p=AAAA",
                Rfc7677.WITHOUT_PROOF + ",p=" + Rfc7677.PROOF + ",x=y",
                Rfc7677.WITHOUT_PROOF + "x,p=" + Rfc7677.PROOF,
                "c=eSws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=" + Rfc7677.PROOF,
                "c=biws,r=rOprNGfwEbeRWgbNEkqO,p=" + Rfc7677.PROOF,
                "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,c=biws,p=" + Rfc7677.PROOF
            })
    void refusesMalformedFinalMessages(String data) {
        Bodies.first(rfc, Rfc7677.CLIENT_FIRST);
        assertMalformed(() -> Bodies.last(rfc, data));
        assertThat(rfc.isProven()).isFalse();
    }

    @Test
    void refusesAChannelBindingHeaderThatChangedOnTheWay() {
        // The client said y; somebody in between made it n.
        Bodies.first(rfc, Rfc7677.CLIENT_FIRST);
        String changed = Rfc7677.WITHOUT_PROOF.replace("biws", "eSws");
        assertMalformed(() -> Bodies.last(rfc, changed + ",p=" + Rfc7677.PROOF));
    }

    @Test
    void refusesAnAuthorizationIdentity() {
        assertThat(catchPg(() -> Bodies.first(rfc, "n,a=admin,n=user,r=abc"))
                        .state()
                        .code())
                .isEqualTo("0A000");
    }

    private static ScramServerExchange overTls() {
        return new ScramServerExchange("user", "db", PENCIL, new byte[] {1, 2, 3}, Rfc7677.SERVER_NONCE);
    }

    @Test
    void offersChannelBindingOverTls() {
        assertThat(overTls().offer()).isEqualTo(new AuthenticationSASL(List.of("SCRAM-SHA-256-PLUS", "SCRAM-SHA-256")));
    }

    @Test
    void bindsToTheCertificateThatTheClientWasShown() throws ScramException {
        for (byte[] seen : new byte[][] {{1, 2, 3}, {1, 2, 4}}) {
            ScramServerExchange exchange = overTls();
            ScramClient client = ScramClient.builder()
                    .advertisedMechanisms(List.of("SCRAM-SHA-256-PLUS"))
                    .username("*")
                    .password("pencil".toCharArray())
                    .channelBinding("tls-server-end-point", seen)
                    .build();
            Authentication challenge = Bodies.send(
                    exchange,
                    new SASLInitialResponse(
                            "SCRAM-SHA-256-PLUS",
                            ByteSlice.of(client.clientFirstMessage().toString())));
            var unused = client.serverFirstMessage(
                    ((AuthenticationSASLContinue) challenge).data().toString());
            SASLResponse last =
                    new SASLResponse(ByteSlice.of(client.clientFinalMessage().toString()));
            if (seen[2] == 3) {
                assertThat(Bodies.send(exchange, last)).isNotNull();
                assertThat(exchange.isProven()).isTrue();
            } else {
                assertThat(catchPg(() -> Bodies.send(exchange, last)).state().code())
                        .isEqualTo("28000");
            }
        }
    }

    @Test
    void noticesThatTheOfferOfChannelBindingWasTakenAway() {
        assertThat(catchPg(() -> Bodies.first(overTls(), "y,,n=user,r=abc"))
                        .state()
                        .code())
                .isEqualTo("28000");
        assertThat(Bodies.first(overTls(), "n,,n=user,r=abc")).startsWith("r=abc");
    }

    @Test
    void refusesBindingsThatDoNotFitTheMechanism() {
        for (String header : List.of("n,,", "y,,", "p=tls-unique,,", "p=,,")) {
            SASLInitialResponse bound =
                    new SASLInitialResponse("SCRAM-SHA-256-PLUS", ByteSlice.of(header + "n=user,r=abc"));
            assertMalformed(() -> Bodies.send(overTls(), bound));
        }
        assertMalformed(() -> Bodies.first(overTls(), "p=tls-server-end-point,,n=user,r=abc"));
    }

    @Test
    void refusesMechanismsThatWereNotOffered() {
        for (String mechanism : List.of("SCRAM-SHA-256-PLUS", "SCRAM-SHA-1", "PLAIN", "")) {
            SASLInitialResponse message = new SASLInitialResponse(mechanism, ByteSlice.of(Rfc7677.CLIENT_FIRST));
            assertMalformed(() -> Bodies.send(rfc, message));
        }
    }

    @Test
    void refusesBodiesThatAreNoSaslMessages() {
        assertMalformed(() -> rfc.respond(new byte[0], 0, 0));
        assertMalformed(() -> rfc.respond("secret\0".getBytes(StandardCharsets.UTF_8), 0, 7));
    }

    private static String question(String user, Credentials credentials) {
        return Bodies.first(new ScramServerExchange(user, "db", credentials, null, "s"), Rfc7677.CLIENT_FIRST);
    }

    /** A login with the client of another house. */
    private static boolean login(Credentials credentials, String password) throws ScramException {
        ScramServerExchange exchange = new ScramServerExchange("user", "db", credentials, null, RANDOM);
        ScramClient client = ScramClient.builder()
                .advertisedMechanisms(exchange.offer().mechanisms())
                .username("*")
                .password(password.toCharArray())
                .build();
        client.serverFirstMessage(
                Bodies.first(exchange, client.clientFirstMessage().toString()));
        client.serverFinalMessage(
                Bodies.last(exchange, client.clientFinalMessage().toString()));
        return exchange.isProven();
    }

    private static PgException assertLoginFailed(Credentials credentials, String password) {
        PgException e = catchPg(() -> login(credentials, password));
        assertThat(e.state().code()).isEqualTo("28P01");
        assertThat(e.severity()).isEqualTo(Severity.FATAL);
        return e;
    }

    private static void assertMalformed(ThrowingCallable call) {
        assertThatExceptionOfType(PgException.class).isThrownBy(call).satisfies(e -> {
            assertThat(e.state().code()).isEqualTo("08P01");
            assertThat(e.severity()).isEqualTo(Severity.FATAL);
        });
    }

    private static PgException catchPg(ThrowingCallable call) {
        return catchThrowableOfType(PgException.class, call);
    }
}
