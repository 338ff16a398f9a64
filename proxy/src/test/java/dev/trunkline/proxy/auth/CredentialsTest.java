package dev.trunkline.proxy.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.security.SecureRandom;
import java.util.List;
import org.junit.jupiter.api.Test;

class CredentialsTest {

    private static final SaltSource SALTS = SaltSource.random(new SecureRandom());
    private static final String OTHER_SALT = Rfc7677.STORED.replace("W22Z", "AAAA");

    @Test
    void takesOverTheSaltOfAStoredVerifier() {
        Credentials credentials = Credentials.of("u", "d", List.of("plain", Rfc7677.STORED), SALTS);
        assertThat(credentials.question().asksLike(PasswordVerifier.parse(Rfc7677.STORED)))
                .isTrue();
    }

    @Test
    void refusesStoredVerifiersThatWouldAskDifferently() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Credentials.of("u", "d", List.of(Rfc7677.STORED, OTHER_SALT), SALTS))
                .withMessageContaining("same salt")
                .withMessageNotContaining("SCRAM-SHA-256$");
    }

    @Test
    void refusesNoneEmptyAndMalformedOnes() {
        assertThatIllegalArgumentException().isThrownBy(() -> Credentials.of("u", "d", List.of(), SALTS));
        assertThatIllegalArgumentException().isThrownBy(() -> Credentials.of("u", "d", List.of(""), SALTS));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Credentials.of("u", "d", List.of("SCRAM-SHA-256$x"), SALTS));
    }

    @Test
    void hasTheSameSaltInEveryProcessWithTheSameSecret() {
        SaltSource one = SaltSource.of(new byte[] {1, 2, 3});
        SaltSource two = SaltSource.of(new byte[] {1, 2, 3});
        assertThat(one.salt("u", "d")).isEqualTo(two.salt("u", "d")).hasSize(16);
        assertThat(one.salt("u", "d")).isNotEqualTo(one.salt("ud", "")).isNotEqualTo(SALTS.salt("u", "d"));
    }
}
