package dev.trunkline.proxy.auth;

import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ScramMechanism;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * By what a password that was seen is recognised when it comes again; the password cannot be told from it without the
 * secret of this process. Compared in a time that does not depend on how two differ.
 */
public final class PasswordMark {

    private final byte[] mark;

    private PasswordMark(byte[] mark) {
        this.mark = mark;
    }

    /** Makes marks that can be compared with one another; for all threads. */
    public static final class Maker {

        private static final int SECRET_BYTES = 32;

        private final byte[] secret = new byte[SECRET_BYTES];

        /** A maker with a secret of its own. */
        public Maker(SecureRandom random) {
            random.nextBytes(secret);
        }

        /** The mark of a password. */
        public PasswordMark of(String password) {
            return new PasswordMark(ScramFunctions.hmac(
                    ScramMechanism.SCRAM_SHA_256, secret, password.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PasswordMark that && MessageDigest.isEqual(mark, that.mark);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(mark);
    }
}
