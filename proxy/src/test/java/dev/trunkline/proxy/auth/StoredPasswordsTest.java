package dev.trunkline.proxy.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ScramMechanism;
import dev.trunkline.protocol.ByteSlice;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredPasswordsTest {

    /** SELECT 'md5' || md5('secret' || 'app') */
    private static final String HASH = "md56a422f785c9e20873908ce25d1736ae2";

    private static final ByteSlice SALT = ByteSlice.of("salt");

    private static String hash() {
        return HASH;
    }

    /** As pg_authid would have it, with two iterations. */
    private static String verifier(String password) {
        byte[] salt = {1, 2, 3};
        byte[] salted = PasswordVerifier.saltedPassword(password, salt, 2);
        ScramMechanism hash = ScramMechanism.SCRAM_SHA_256;
        byte[] storedKey = ScramFunctions.storedKey(hash, ScramFunctions.clientKey(hash, salted));
        return "SCRAM-SHA-256$2:AQID$" + ScramMessage.base64(storedKey) + ":"
                + ScramMessage.base64(ScramFunctions.serverKey(hash, salted));
    }

    @Test
    void aHashIsToldFromAPassword() {
        assertThat(Md5Password.isStored(HASH)).isTrue();
        assertThat(Md5Password.isStored("md5")).isFalse();
        assertThat(Md5Password.isStored(HASH.toUpperCase(java.util.Locale.ROOT)))
                .isFalse();
        assertThat(Md5Password.isStored(HASH + "0")).isFalse();
        assertThat(Md5Password.ofEntry("app", HASH)).isEqualTo(HASH);
        assertThat(Md5Password.stored("app", HASH)).isNotEqualTo(HASH);
        assertThat(Md5Password.ofEntry("app", "secret")).isEqualTo(HASH);
        assertThat(Md5Password.stored("app", "secret")).isEqualTo(HASH);
    }

    @Test
    void comparesAPasswordInClearWithEveryForm() {
        for (String entry : List.of("secret", hash(), verifier("secret"))) {
            StoredPasswords passwords = StoredPasswords.of(List.of("other", entry));
            assertThat(passwords.acceptClear("app", "secret")).as(entry).isTrue();
            assertThat(passwords.acceptClear("app", "Secret")).as(entry).isFalse();
            assertThat(passwords.acceptClear("app", "")).as(entry).isFalse();
        }
        assertThat(StoredPasswords.of(List.of(hash())).acceptClear("another", "secret"))
                .isFalse();
    }

    /** Who has stolen what is stored must not get in with it. */
    @Test
    void takesNoStoredFormForThePassword() {
        for (String entry : List.of(hash(), verifier("secret"))) {
            assertThat(StoredPasswords.of(List.of(entry)).acceptClear("app", entry))
                    .as(entry)
                    .isFalse();
        }
    }

    @Test
    void comparesAnAnswerToMd5WithPasswordsAndHashes() {
        String right = Md5Password.answer(hash(), SALT);
        assertThat(StoredPasswords.of(List.of("secret")).acceptMd5("app", right, SALT))
                .isTrue();
        assertThat(StoredPasswords.of(List.of("other", hash())).acceptMd5("app", right, SALT))
                .isTrue();
        assertThat(StoredPasswords.of(List.of("other")).acceptMd5("app", right, SALT))
                .isFalse();
        assertThat(StoredPasswords.of(List.of("secret")).acceptMd5("app", right, ByteSlice.of("tlas")))
                .isFalse();
        assertThat(StoredPasswords.of(List.of(verifier("secret"))).acceptMd5("app", right, SALT))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "md5", "secret"})
    void nothingFitsNoPassword(String answer) {
        assertThat(StoredPasswords.NONE.acceptMd5("app", answer, SALT)).isFalse();
        assertThat(StoredPasswords.NONE.acceptClear("app", answer)).isFalse();
        assertThat(StoredPasswords.COSTLY_NONE.acceptClear("app", answer)).isFalse();
        assertThat(StoredPasswords.COSTLY_NONE.isClearCostly()).isTrue();
        assertThat(StoredPasswords.of(List.of(verifier("x"))).acceptMd5("app", answer, SALT))
                .isFalse();
    }

    @Test
    void printsNoPassword() {
        assertThat(StoredPasswords.of(List.of("secret")).toString()).doesNotContain("secret");
    }
}
