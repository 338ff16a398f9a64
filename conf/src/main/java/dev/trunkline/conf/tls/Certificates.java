package dev.trunkline.conf.tls;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Reads the certificates of a PEM file. */
public final class Certificates {

    private Certificates() {}

    /**
     * The certificates of the file in its order, at least one.
     *
     * @throws PemException if the file cannot be read, holds none, or one that is malformed
     */
    public static List<X509Certificate> read(Path file) throws PemException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Pem block : Pem.read(file)) {
            if (block.label().equals("CERTIFICATE") || block.label().equals("X509 CERTIFICATE")) {
                certificates.add(certificate(file, block.content()));
            }
        }
        if (certificates.isEmpty()) {
            throw new PemException("\"" + file + "\" holds no certificate in PEM form");
        }
        return List.copyOf(certificates);
    }

    private static X509Certificate certificate(Path file, byte[] content) throws PemException {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(content));
        } catch (CertificateException e) {
            throw new PemException("\"" + file + "\" holds a certificate that is malformed", e);
        }
    }
}
