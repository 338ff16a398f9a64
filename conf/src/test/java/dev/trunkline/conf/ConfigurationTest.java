package dev.trunkline.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ConfigurationTest {

    @Test
    void neverPrintsAPassword() {
        User user = new User(
                "app",
                "prod",
                List.of(new Secret("first"), new Secret("second")),
                "app",
                List.of(new Secret("third")),
                10,
                PoolerMode.TRANSACTION);

        assertThat(user.toString()).doesNotContain("first", "second", "third").contains("***");
        assertThat(new Admin("admin", "admin", new Secret("fourth")).toString()).doesNotContain("fourth");
    }

    @Test
    void tellsAStoredVerifierFromAPassword() {
        assertThat(new Secret("SCRAM-SHA-256$4096:c2FsdA==$a:b").isScramVerifier())
                .isTrue();
        assertThat(new Secret("secret").isScramVerifier()).isFalse();
    }
}
