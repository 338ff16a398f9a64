package dev.trunkline.proxy.auth;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The channel binding {@code tls-server-end-point}: the hash of the server's certificate, by the hash function of its
 * signature, and SHA-256 in place of MD5 and SHA-1.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5929#section-4">RFC 5929, section 4</a>
 */
public final class EndpointBinding {

    private EndpointBinding() {}

    /**
     * The binding of a certificate; null without one, and for a signature that names no hash function of its own
     * (Ed25519, RSASSA-PSS): the RFC leaves these undefined, so that the two sides could not be sure to agree.
     */
    public static byte @Nullable [] of(@Nullable X509Certificate certificate) {
        String hash = certificate == null ? null : hash(certificate.getSigAlgName());
        if (certificate == null || hash == null) {
            return null;
        }
        try {
            return MessageDigest.getInstance(hash).digest(certificate.getEncoded());
        } catch (NoSuchAlgorithmException | CertificateEncodingException e) {
            return null;
        }
    }

    /** The function in the name of a signature such as {@code SHA256withECDSA}. */
    private static @Nullable String hash(String signature) {
        String name = signature.toUpperCase(Locale.ROOT);
        int with = name.indexOf("WITH");
        if (with < 0) {
            return null;
        }
        return switch (name.substring(0, with)) {
            case "MD5", "SHA1", "SHA256" -> "SHA-256";
            case "SHA224" -> "SHA-224";
            case "SHA384" -> "SHA-384";
            case "SHA512" -> "SHA-512";
            case "SHA3-256" -> "SHA3-256";
            case "SHA3-384" -> "SHA3-384";
            case "SHA3-512" -> "SHA3-512";
            default -> null;
        };
    }
}
