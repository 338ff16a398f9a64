package dev.trunkline.harness.tls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;

/** A certificate with its private key. */
public record Issued(X509Certificate certificate, PrivateKey key) {

    /** The certificate as PEM. */
    public String certificatePem() {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (java.security.cert.CertificateEncodingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The key as PEM, PKCS #8. */
    public String keyPem() {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    /** Writes {@code name.crt} and {@code name.key} into the folder, over what is there. */
    public void write(Path folder, String name) {
        try {
            Files.writeString(folder.resolve(name + ".crt"), certificatePem());
            Files.writeString(folder.resolve(name + ".key"), keyPem());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String pem(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(content)
                + "\n-----END " + label + "-----\n";
    }
}
