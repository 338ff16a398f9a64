package dev.trunkline.proxy.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PasswordVerifierTest {

    private static final byte[] MESSAGE = "a,b,c".getBytes(StandardCharsets.UTF_8);
    private static final byte[] SALT = Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ==");
    private static final String KEY = "WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=";

    @Test
    void isTheSameStoredAndDerived() {
        PasswordVerifier stored = PasswordVerifier.parse(Rfc7677.STORED);
        PasswordVerifier derived = PasswordVerifier.derive("pencil", SALT, 4096);
        assertThat(derived.asksLike(stored)).isTrue();
        assertThat(derived.serverSignature(MESSAGE)).isEqualTo(stored.serverSignature(MESSAGE));
    }

    @Test
    void preparesPasswordsBySaslprepWhereTheyCanBe() {
        // Roman numeral four and the soft hyphen: NFKC makes IV of the one and nothing of the other.
        assertThat(signatureOf("\u2163\u00ADx")).isEqualTo(signatureOf("IVx"));
    }

    @Test
    void takesPasswordsAsTheyAreWhereSaslprepForbidsThem() {
        assertThat(signatureOf("a\u0007b")).isNotEqualTo(signatureOf("ab"));
    }

    @Test
    void refusesAnEmptyPassword() {
        assertThatIllegalArgumentException().isThrownBy(() -> PasswordVerifier.derive("", SALT, 4096));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "SCRAM-SHA-256$",
                "SCRAM-SHA-256$4096:c2FsdA==",
                "SCRAM-SHA-256$0:c2FsdA==$" + KEY + ":" + KEY,
                "SCRAM-SHA-256$-1:c2FsdA==$" + KEY + ":" + KEY,
                "SCRAM-SHA-256$9999999999:c2FsdA==$" + KEY + ":" + KEY,
                "SCRAM-SHA-256$4096:c2FsdA==$" + KEY + ":c2hvcnQ=",
                "SCRAM-SHA-256$4096:c2FsdA==$c2hvcnQ=:" + KEY,
                "SCRAM-SHA-256$4096:c$" + KEY + ":" + KEY,
                "SCRAM-SHA-256$4096:$" + KEY + ":" + KEY,
                "SCRAM-SHA-1$4096:c2FsdA==$" + KEY + ":" + KEY,
                "SCRAM-SHA-256$4096:c2FsdA==$" + KEY + ":" + KEY + "\n"
            })
    void refusesOtherForms(String stored) {
        assertThatIllegalArgumentException().isThrownBy(() -> PasswordVerifier.parse(stored));
    }

    @Test
    void keepsKeysOutOfLogs() {
        assertThat(PasswordVerifier.parse(Rfc7677.STORED)).hasToString("PasswordVerifier[iterations=4096]");
        assertThat(new ServerAccount("app", List.of("secret"))).hasToString("ServerAccount[user=app]");
    }

    private static byte[] signatureOf(String password) {
        return PasswordVerifier.derive(password, SALT, 1).serverSignature(MESSAGE);
    }
}
