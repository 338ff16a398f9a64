package dev.trunkline.harness.tls;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import javax.security.auth.x500.X500Principal;

/**
 * An authority that lives for one test: its own certificate is signed by itself, and it issues others at will. Takes
 * milliseconds; RSA keys take longer.
 */
public final class Authority {

    private static final byte[] SUBJECT_ALTERNATIVE_NAME = HexFormat.of().parseHex("0603551d11");
    private static final byte[] BASIC_CONSTRAINTS = HexFormat.of().parseHex("0603551d13");
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;

    private final Algorithm algorithm;
    private final X500Principal name;
    private final Issued own;

    private Authority(Algorithm algorithm, String commonName) {
        this.algorithm = algorithm;
        this.name = new X500Principal("CN=" + commonName);
        KeyPair keys = algorithm.generate();
        byte[] extension = Der.sequence(BASIC_CONSTRAINTS, Der.bool(true), Der.octets(Der.sequence(Der.bool(true))));
        this.own = new Issued(
                certificate(keys, name, extension, keys.getPrivate(), Duration.ofDays(365)), keys.getPrivate());
    }

    /** A new authority with EC keys. */
    public static Authority named(String commonName) {
        return of(Algorithm.EC, commonName);
    }

    /** A new authority that signs by the given algorithm; what it issues has keys of the same kind. */
    public static Authority of(Algorithm algorithm, String commonName) {
        return new Authority(algorithm, commonName);
    }

    /** Its own certificate. */
    public Issued own() {
        return own;
    }

    /** A certificate with the common name, for hosts given by name or IPv4 address; without hosts it names none. */
    public Issued issue(String commonName, String... hosts) {
        return issueFor(Duration.ofDays(365), commonName, hosts);
    }

    /** The same, valid from yesterday for the given time. */
    public Issued issueFor(Duration validity, String commonName, String... hosts) {
        KeyPair keys = algorithm.generate();
        byte[] names = Der.NOTHING;
        for (String host : hosts) {
            names = Der.join(names, generalName(host));
        }
        byte[] extension = hosts.length == 0
                ? Der.NOTHING
                : Der.sequence(SUBJECT_ALTERNATIVE_NAME, Der.octets(Der.sequence(names)));
        X500Principal subject = new X500Principal("CN=" + commonName);
        return new Issued(certificate(keys, subject, extension, own.key(), validity), keys.getPrivate());
    }

    private static byte[] generalName(String host) {
        if (host.matches("[0-9.]+")) {
            try {
                return Der.element(IP_ADDRESS, InetAddress.getByName(host).getAddress());
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException(host, e);
            }
        }
        return Der.element(DNS_NAME, host.getBytes(StandardCharsets.US_ASCII));
    }

    private X509Certificate certificate(
            KeyPair keys, X500Principal subject, byte[] extension, PrivateKey signer, Duration validity) {
        Instant begin = Instant.now().minus(Duration.ofDays(1));
        byte[] content = Der.sequence(
                Der.element(0xa0, Der.integer(BigInteger.TWO)),
                Der.integer(new BigInteger(64, new SecureRandom()).add(BigInteger.ONE)),
                algorithm.identifier(),
                name.getEncoded(),
                Der.sequence(Der.time(begin), Der.time(begin.plus(validity))),
                subject.getEncoded(),
                keys.getPublic().getEncoded(),
                extension.length == 0 ? Der.NOTHING : Der.element(0xa3, Der.sequence(extension)));
        byte[] signed = Der.sequence(content, algorithm.identifier(), Der.bits(algorithm.sign(signer, content)));
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(signed));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
