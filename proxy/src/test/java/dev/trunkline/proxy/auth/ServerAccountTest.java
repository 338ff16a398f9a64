package dev.trunkline.proxy.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.trunkline.protocol.error.PgException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerAccountTest {

    private static final byte[] SALT = {1};
    private static final byte[] OTHER_SALT = {2};

    private final ServerAccount account = new ServerAccount("app", List.of("old", "new"));

    private static ScramKeys keys(byte[] salt, int mark) {
        return new ScramKeys(salt, 4096, new byte[] {(byte) mark}, new byte[] {0});
    }

    @Test
    void triesTheNextPasswordAfterARefusalAndStaysWithIt() {
        ServerSecret first = account.secret();
        assertThat(first.clear()).isEqualTo("old");
        account.refused(first);
        assertThat(account.secret().clear()).isEqualTo("new");
        // Another connection of the same moment has been refused as well.
        account.refused(first);
        assertThat(account.secret().clear()).isEqualTo("new");
        account.refused(account.secret());
        assertThat(account.secret().clear()).isEqualTo("old");
    }

    @Test
    void keepsWhatItKnowsWhenAReloadChangesNothing() {
        account.refused(account.secret());
        ServerSecret used = account.secret();
        account.replace(List.of("old", "new"));
        assertThat(account.secret()).isSameAs(used);
        account.replace(List.of("newest"));
        assertThat(account.secret().clear()).isEqualTo("newest");
    }

    @Test
    void opensConnectionsWithTheKeysOfItsClients() {
        ServerAccount learning = new ServerAccount("app", List.of());
        assertThat(learning.isWithoutSecret()).isTrue();
        learning.learn(ProvenSecret.of(keys(SALT, 1)));
        assertThat(learning.isWithoutSecret()).isFalse();
        assertThat(learning.secret().hasKeys(SALT, 4096)).isTrue();
        assertThat(learning.secret().keys(SALT, 4096).clientKey()).containsExactly(1);
        // Another server may store another verifier, by which another client logs in.
        learning.learn(ProvenSecret.of(keys(OTHER_SALT, 2)));
        assertThat(learning.secret().keys(SALT, 4096).clientKey()).containsExactly(1);
        assertThat(learning.secret().keys(OTHER_SALT, 4096).clientKey()).containsExactly(2);
        learning.learn(ProvenSecret.of(keys(SALT, 3)));
        assertThat(learning.secret().keys(SALT, 4096).clientKey()).containsExactly(3);
        ServerSecret known = learning.secret();
        learning.learn(ProvenSecret.of(keys(SALT, 3)));
        assertThat(learning.secret()).isSameAs(known);
    }

    @Test
    void remembersABoundedNumberOfKeys() {
        ServerAccount learning = new ServerAccount("app", List.of());
        for (int i = 0; i < 10; i++) {
            learning.learn(ProvenSecret.of(keys(new byte[] {(byte) i}, i)));
        }
        assertThat(learning.secret().keys(new byte[] {9}, 4096).clientKey()).containsExactly(9);
        assertRefused(() -> learning.secret().keys(new byte[] {1}, 4096));
    }

    @Test
    void saysWhatItCannotDoWithWhatItKnows() {
        ServerAccount learning = new ServerAccount("app", List.of());
        learning.learn(ProvenSecret.of(keys(SALT, 1)));
        assertRefused(() -> learning.secret().keys(OTHER_SALT, 4096));
        assertRefused(() -> learning.secret().clear());
        assertRefused(() -> learning.secret().md5Hash());
        String hash = Md5Password.stored("app", "secret");
        ServerAccount hashed = new ServerAccount("app", List.of(hash));
        assertThat(hashed.secret().md5Hash()).isEqualTo(hash);
        assertRefused(() -> hashed.secret().clear());
        assertRefused(() -> hashed.secret().requireForScram());
        assertRefused(() -> hashed.secret().keys(SALT, 4096));
    }

    @Test
    void takesThePasswordThatAClientHasNamed() {
        ServerAccount learning = new ServerAccount("app", List.of());
        learning.learn(ProvenSecret.of("first"));
        ServerSecret first = learning.secret();
        learning.learn(ProvenSecret.of("first"));
        assertThat(learning.secret()).isSameAs(first);
        learning.learn(ProvenSecret.of("second"));
        assertThat(learning.secret().clear()).isEqualTo("second");
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatExceptionOfType(PgException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.state().code()).isEqualTo("08001"));
    }
}
