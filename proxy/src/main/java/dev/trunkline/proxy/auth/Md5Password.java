package dev.trunkline.proxy.auth;

import dev.trunkline.protocol.ByteSlice;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The answer to AuthenticationMD5Password: {@code "md5" + md5(md5(password + user) + salt)}, digests in hexadecimal.
 *
 * @see <a href="https://www.postgresql.org/docs/18/protocol-flow.html">Message Flow</a>
 */
final class Md5Password {

    private Md5Password() {}

    static String answer(String user, String password, ByteSlice salt) {
        String stored = hex(digest((password + user).getBytes(StandardCharsets.UTF_8), ByteSlice.EMPTY));
        return "md5" + hex(digest(stored.getBytes(StandardCharsets.US_ASCII), salt));
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
