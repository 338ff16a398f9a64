package dev.trunkline.conf.tls;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.List;

/**
 * What one side of a TLS connection shows and proves itself by.
 *
 * @param chain its own certificate, then those of the authorities between it and the root
 * @param key the private key of the first certificate
 */
public record Identity(List<X509Certificate> chain, PrivateKey key) {

    public Identity {
        chain = List.copyOf(chain);
    }

    /**
     * The identity of two PEM files, which may be the same.
     *
     * @throws PemException for a fault of the key's file, or if the key is not that of the certificate; faults of the
     *     certificate's file are found by {@link Certificates#read}
     */
    public static Identity of(List<X509Certificate> chain, Path keyFile) throws PemException {
        PrivateKey key = PrivateKeys.read(keyFile);
        if (!isPair(chain.get(0), key)) {
            throw new PemException("\"" + keyFile + "\" is not the key of the certificate");
        }
        return new Identity(chain, key);
    }

    /** Whether the certificate's key accepts what the private key signs. */
    private static boolean isPair(X509Certificate certificate, PrivateKey key) {
        byte[] sample = "trunkline".getBytes(StandardCharsets.US_ASCII);
        try {
            Signature signature = signature(key);
            signature.initSign(key);
            signature.update(sample);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(sample);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static Signature signature(PrivateKey key) throws GeneralSecurityException {
        return switch (key.getAlgorithm()) {
            case "RSA" -> Signature.getInstance("SHA256withRSA");
            case "RSASSA-PSS" -> pss(key);
            case "EC" -> Signature.getInstance("SHA256withECDSA");
            default -> Signature.getInstance(key.getAlgorithm());
        };
    }

    private static Signature pss(PrivateKey key) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("RSASSA-PSS");
        boolean isBound = key instanceof RSAKey rsa && rsa.getParams() != null;
        if (!isBound) {
            signature.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
        } else {
            signature.setParameter(((RSAKey) key).getParams());
        }
        return signature;
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "Identity[" + chain.get(0).getSubjectX500Principal() + "]";
    }
}
