package dev.trunkline.conf.tls;

import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;

/** Reads the private key of a PEM file: PKCS #8 of any algorithm, and the older forms of RSA and EC keys alone. */
final class PrivateKeys {

    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

    private PrivateKeys() {}

    static PrivateKey read(Path file) throws PemException {
        for (Pem block : Pem.read(file)) {
            switch (block.label()) {
                case "PRIVATE KEY" -> {
                    return pkcs8(file, block.content());
                }
                case "RSA PRIVATE KEY" -> {
                    return pkcs8(file, Pkcs8.ofRsa(block.content()));
                }
                case "EC PRIVATE KEY" -> {
                    return pkcs8(file, Pkcs8.ofEc(file, block.content()));
                }
                case "ENCRYPTED PRIVATE KEY" ->
                    throw new PemException("\"" + file + "\" is encrypted, which is not supported");
                default -> {
                    // Certificates and parameters may stand beside the key.
                }
            }
        }
        throw new PemException("\"" + file + "\" holds no private key in PEM form");
    }

    private static PrivateKey pkcs8(Path file, byte[] content) throws PemException {
        PKCS8EncodedKeySpec specification = new PKCS8EncodedKeySpec(content);
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(specification);
            } catch (InvalidKeySpecException | NoSuchAlgorithmException e) {
                // A key of another algorithm: the next one is tried.
            }
        }
        throw new PemException("\"" + file + "\" holds a private key that is malformed or of an unknown algorithm");
    }
}
