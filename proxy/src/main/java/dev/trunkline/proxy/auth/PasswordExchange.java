package dev.trunkline.proxy.auth;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.backend.Authentication;
import dev.trunkline.protocol.backend.AuthenticationCleartextPassword;
import dev.trunkline.protocol.backend.AuthenticationMD5Password;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.protocol.frontend.PasswordMessage;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/** A client's login by one password message, hashed with a salt of four bytes or in clear. */
public final class PasswordExchange implements ClientExchange {

    private static final int SALT_BYTES = 4;

    private final String user;
    private final String database;
    private final StoredPasswords passwords;
    private final @Nullable ByteSlice salt;
    private boolean isProven;
    private @Nullable ProvenSecret proven;

    private PasswordExchange(String user, String database, StoredPasswords passwords, @Nullable ByteSlice salt) {
        this.user = user;
        this.database = database;
        this.passwords = passwords;
        this.salt = salt;
    }

    /**
     * A login by {@code md5}, with a fresh salt.
     *
     * @param passwords of the user; {@link StoredPasswords#NONE} if user or database do not exist
     */
    public static PasswordExchange md5(String user, String database, StoredPasswords passwords, SecureRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return new PasswordExchange(user, database, passwords, ByteSlice.of(salt));
    }

    /**
     * A login by a password in clear.
     *
     * @param passwords of the user; {@link StoredPasswords#NONE} if user or database do not exist
     */
    public static PasswordExchange clear(String user, String database, StoredPasswords passwords) {
        return new PasswordExchange(user, database, passwords, null);
    }

    @Override
    public Authentication offer() {
        return salt == null ? new AuthenticationCleartextPassword() : new AuthenticationMD5Password(salt);
    }

    @Override
    public @Nullable Authentication respond(byte[] buffer, int offset, int length) {
        String answer = PasswordMessage.decode(buffer, offset, length).password();
        boolean isRight = salt == null ? passwords.acceptClear(user, answer) : passwords.acceptMd5(user, answer, salt);
        if (!isRight) {
            throw ProtocolErrors.loginFailed(user, database);
        }
        proven = salt == null ? ProvenSecret.of(answer) : passwords.md5Secret();
        isProven = true;
        return null;
    }

    @Override
    public boolean isCostly() {
        return salt == null && passwords.isClearCostly();
    }

    @Override
    public boolean isProven() {
        return isProven;
    }

    @Override
    public @Nullable ProvenSecret proven() {
        return proven;
    }
}
