package dev.trunkline.proxy.auth;

import dev.trunkline.protocol.ByteSlice;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * PostgreSQL's {@code md5} passwords. What is stored is {@code "md5" + md5(password + user)}, and the answer to
 * AuthenticationMD5Password is {@code "md5" + md5(md5(password + user) + salt)}; digests in hexadecimal.
 *
 * @see <a href="https://www.postgresql.org/docs/18/protocol-flow.html">Message Flow</a>
 */
final class Md5Password {

    private static final String PREFIX = "md5";
    private static final Pattern STORED = Pattern.compile("md5[0-9a-f]{32}");

    private Md5Password() {}

    /** Whether the text is a stored hash rather than a password; PostgreSQL takes what looks like one for one, too. */
    static boolean isStored(String secret) {
        return STORED.matcher(secret).matches();
    }

    /** What is stored for an entry of a configuration, which may be a stored hash itself. */
    static String ofEntry(String user, String entry) {
        return isStored(entry) ? entry : stored(user, entry);
    }

    /** What is stored for a password, whatever it looks like: a hash that was stolen is not the password. */
    static String stored(String user, String password) {
        return PREFIX + hex(digest((password + user).getBytes(StandardCharsets.UTF_8), ByteSlice.EMPTY));
    }

    /** The answer to a challenge, from what is stored. */
    static String answer(String stored, ByteSlice salt) {
        String hash = stored.substring(PREFIX.length());
        return PREFIX + hex(digest(hash.getBytes(StandardCharsets.US_ASCII), salt));
    }

    private static byte[] digest(byte[] content, ByteSlice salt) {
        try {
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            md5.update(content);
            md5.update(salt.bytes(), salt.offset(), salt.length());
            return md5.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }

    private static String hex(byte[] digest) {
        return HexFormat.of().formatHex(digest);
    }
}
