package dev.trunkline.proxy.net;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * What both sides of an encrypted connection have shown each other.
 *
 * @param own the certificate that we have shown; null if none
 * @param peer the certificate that the peer has shown, verified as far as the settings ask for it; null if none
 * @param isDirect the peer began with TLS at once, without asking for it first
 * @param protocol what both agreed on by ALPN; null if the peer did not ask
 */
public record Encryption(
        @Nullable X509Certificate own,
        @Nullable X509Certificate peer,
        boolean isDirect,
        @Nullable String protocol) {

    /** What ALPN calls PostgreSQL's protocol. */
    public static final String POSTGRESQL = "postgresql";

    static @Nullable X509Certificate peerOf(SSLSession session) {
        try {
            Certificate[] chain = session.getPeerCertificates();
            return chain.length > 0 && chain[0] instanceof X509Certificate certificate ? certificate : null;
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }
}
