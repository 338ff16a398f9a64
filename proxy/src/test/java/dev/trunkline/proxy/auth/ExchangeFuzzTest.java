package dev.trunkline.proxy.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.backend.AuthenticationSASL;
import dev.trunkline.protocol.backend.AuthenticationSASLContinue;
import dev.trunkline.protocol.backend.AuthenticationSASLFinal;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.frontend.SASLInitialResponse;
import java.security.SecureRandom;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever the other side sends, it is refused by one of our errors, and nobody is let in. */
class ExchangeFuzzTest {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Credentials CREDENTIALS =
            Credentials.of("user", "db", List.of(Rfc7677.STORED), SaltSource.random(RANDOM));

    @Property
    void refusesAnyFirstMessage(@ForAll byte[] body) {
        ScramServerExchange exchange = new ScramServerExchange("user", "db", CREDENTIALS, null, "s");
        try {
            assertThat(exchange.respond(body, 0, body.length)).isNotNull();
        } catch (PgException e) {
            assertThat(e.state().code()).isIn("08P01", "22021");
        }
        assertThat(exchange.isProven()).isFalse();
    }

    @Property
    void refusesAnyFirstMessageOverTls(@ForAll("headers") String header, @ForAll("attributes") String text) {
        ScramServerExchange exchange = new ScramServerExchange("user", "db", CREDENTIALS, new byte[32], "s");
        for (String mechanism : List.of("SCRAM-SHA-256", "SCRAM-SHA-256-PLUS")) {
            try {
                assertThat(Bodies.send(exchange, new SASLInitialResponse(mechanism, ByteSlice.of(header + text))))
                        .isNotNull();
            } catch (PgException e) {
                assertThat(e.state().code()).isIn("08P01", "0A000", "28000", "28P01");
            }
        }
        assertThat(exchange.isProven()).isFalse();
    }

    @Provide
    Arbitrary<String> headers() {
        return Arbitraries.of("n,,", "y,,", "p=tls-server-end-point,,", "p=,,", "n,a=x,", ",", "", "n,");
    }

    @Property
    void letsNobodyInByAnyPasswordMessage(@ForAll byte[] body) {
        for (String entry : List.of("secret", Md5Password.stored("user", "secret"))) {
            StoredPasswords passwords = StoredPasswords.of(List.of(entry));
            for (PasswordExchange exchange : List.of(
                    PasswordExchange.md5("user", "db", passwords, RANDOM),
                    PasswordExchange.clear("user", "db", passwords))) {
                try {
                    assertThat(exchange.respond(body, 0, body.length)).isNull();
                } catch (PgException e) {
                    assertThat(e.state().code()).isIn("08P01", "22021", "28P01");
                }
                assertThat(exchange.isProven()).isFalse();
                assertThat(exchange.proven()).isNull();
            }
        }
    }

    @Property
    void refusesAnyFinalMessage(@ForAll("attributes") String text) {
        ScramServerExchange exchange = new ScramServerExchange("user", "db", CREDENTIALS, null, Rfc7677.SERVER_NONCE);
        Bodies.first(exchange, Rfc7677.CLIENT_FIRST);
        try {
            Bodies.last(exchange, text);
        } catch (PgException e) {
            assertThat(e.state().code()).isIn("08P01", "28P01");
        }
        assertThat(exchange.isProven()).isFalse();
    }

    @Property
    void believesNoServer(@ForAll("attributes") String challenge, @ForAll("attributes") String proof) {
        ServerLogin login = new ServerLogin(new ServerAccount("app", List.of("secret")), null, RANDOM);
        Object first = login.respond(new AuthenticationSASL(List.of("SCRAM-SHA-256")));
        String data = String.valueOf(((SASLInitialResponse) first).data());
        String nonce = data.substring(data.indexOf("r=") + 2);
        try {
            login.respond(new AuthenticationSASLContinue(ByteSlice.of(challenge.replace("NONCE", nonce))));
            login.respond(new AuthenticationSASLFinal(ByteSlice.of(proof)));
            assertThat(proof).as("a proof that was believed").isNull();
        } catch (PgException e) {
            assertThat(e.state().code()).isEqualTo("08001");
        }
    }

    /** Attributes as SCRAM has them, in any order and number, right and wrong. */
    @Provide
    Arbitrary<String> attributes() {
        return Arbitraries.of(
                        "r=NONCEx",
                        "s=c2FsdA==",
                        "i=1",
                        "i=2000000000",
                        "c=biws",
                        Rfc7677.WITHOUT_PROOF,
                        "p=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                        "p=",
                        "v=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                        "v=",
                        "e=x",
                        "n=",
                        "=",
                        "",
                        "\u00e9")
                .list()
                .ofMaxSize(6)
                .map(parts -> String.join(",", parts));
    }
}
