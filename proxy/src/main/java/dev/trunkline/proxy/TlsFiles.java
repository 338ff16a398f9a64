package dev.trunkline.proxy;

import dev.trunkline.conf.General;
import dev.trunkline.conf.TlsVerify;
import dev.trunkline.conf.tls.Certificates;
import dev.trunkline.conf.tls.Identity;
import dev.trunkline.conf.tls.PemException;
import dev.trunkline.proxy.auth.SaltSource;
import dev.trunkline.proxy.net.ClientTls;
import dev.trunkline.proxy.net.ServerTls;
import dev.trunkline.proxy.net.Tls;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates and keys that a configuration names, as read from their files at one moment; immutable, for all
 * threads.
 *
 * @param identity what clients are shown; null = clients get no TLS
 * @param settings for the proxy's own sockets
 * @param verify how servers are verified
 * @param authorities by which servers are verified; null = those of the Java runtime
 */
record TlsFiles(
        @Nullable Identity identity,
        Tls.Settings settings,
        TlsVerify verify,
        @Nullable List<X509Certificate> authorities) {

    private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);

    /** Time enough to have a new certificate issued. */
    private static final Duration EXPIRY_NOTICE = Duration.ofDays(14);

    /** What the files hold cannot be used; the message says which setting is at fault. */
    static final class UnusableException extends Exception {

        private static final long serialVersionUID = 1L;

        UnusableException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Reads all files; blocks. */
    static TlsFiles read(General general) throws UnusableException {
        List<X509Certificate> authorities = certificates("tls_server_ca_certificate", general.tlsServerCaCertificate());
        Identity identity = identity(general);
        if (identity != null) {
            warnOfExpiry(identity.chain().get(0));
        }
        try {
            Tls.Settings settings =
                    new Tls.Settings(clients(general, identity), servers(general.tlsVerify(), authorities));
            return new TlsFiles(identity, settings, general.tlsVerify(), authorities);
        } catch (SSLException e) {
            throw new UnusableException("general: TLS cannot be used as configured: " + e.getMessage(), e);
        }
    }

    /** No fault: clients that do not verify are served all the same. */
    private static void warnOfExpiry(X509Certificate certificate) {
        Instant end = certificate.getNotAfter().toInstant();
        if (end.isBefore(Instant.now().plus(EXPIRY_NOTICE))) {
            LOG.warn("the certificate in tls_certificate is valid until {}", end);
        }
    }

    private static @Nullable Identity identity(General general) throws UnusableException {
        List<X509Certificate> chain = certificates("tls_certificate", general.tlsCertificate());
        String key = general.tlsPrivateKey();
        if (chain == null || key == null) {
            return null;
        }
        try {
            return Identity.of(chain, Path.of(key));
        } catch (PemException e) {
            throw new UnusableException("general.tls_private_key: " + e.problem(), e);
        }
    }

    private static @Nullable ClientTls clients(General general, @Nullable Identity identity)
            throws UnusableException, SSLException {
        if (identity == null) {
            return null;
        }
        List<X509Certificate> authorities = certificates("tls_client_ca_certificate", general.tlsClientCaCertificate());
        return ClientTls.of(identity, authorities == null ? List.of() : authorities);
    }

    /**
     * The salts by which clients are asked: the same after a restart and in every process that has the same private key,
     * so that a salt that changes does not tell who has no stored verifier, or is unknown. Without a key a secret of the
     * process must do: passwords could be guessed by salts that were made from them.
     */
    SaltSource salts(SecureRandom random) {
        return identity == null
                ? SaltSource.random(random)
                : SaltSource.of(identity.key().getEncoded());
    }

    private static @Nullable ServerTls servers(TlsVerify verify, @Nullable List<X509Certificate> authorities)
            throws SSLException {
        return switch (verify) {
            case DISABLED -> null;
            case PREFER -> ServerTls.unverified(false);
            case REQUIRE -> ServerTls.unverified(true);
            case VERIFY_CA -> ServerTls.verified(authorities, false);
            case VERIFY_FULL -> ServerTls.verified(authorities, true);
        };
    }

    private static @Nullable List<X509Certificate> certificates(String key, @Nullable String file)
            throws UnusableException {
        if (file == null) {
            return null;
        }
        try {
            return Certificates.read(Path.of(file));
        } catch (PemException e) {
            throw new UnusableException("general." + key + ": " + e.problem(), e);
        }
    }

    /** The same encryption for the connections that Vert.x's own client opens; returns the options. */
    PgConnectOptions encrypt(PgConnectOptions options) {
        return switch (verify) {
            case DISABLED -> options.setSslMode(SslMode.DISABLE);
            case PREFER -> options.setSslMode(SslMode.PREFER).setSslOptions(unverified());
            case REQUIRE -> options.setSslMode(SslMode.REQUIRE).setSslOptions(unverified());
            case VERIFY_CA -> options.setSslMode(SslMode.VERIFY_CA).setSslOptions(verified(""));
            case VERIFY_FULL -> options.setSslMode(SslMode.VERIFY_FULL).setSslOptions(verified("HTTPS"));
        };
    }

    private static ClientSSLOptions unverified() {
        return new ClientSSLOptions().setTrustAll(true).setHostnameVerificationAlgorithm("");
    }

    private ClientSSLOptions verified(String hostVerification) {
        return new ClientSSLOptions()
                .setTrustOptions(TrustOptions.wrap(trustManager()))
                .setHostnameVerificationAlgorithm(hostVerification);
    }

    private TrustManager trustManager() {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(authorities == null ? null : keyStore(authorities));
            return factory.getTrustManagers()[0];
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the Java runtime cannot verify certificates", e);
        }
    }

    private static KeyStore keyStore(List<X509Certificate> authorities) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("authority" + i, authorities.get(i));
        }
        return store;
    }
}
