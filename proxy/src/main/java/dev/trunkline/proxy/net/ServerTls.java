package dev.trunkline.proxy.net;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** How servers are reached over TLS. Immutable, for all threads; a reload makes a new one. */
public final class ServerTls {

    private final SslContext context;
    private final boolean isRequired;

    private ServerTls(SslContext context, boolean isRequired) {
        this.context = context;
        this.isRequired = isRequired;
    }

    /**
     * Encrypted without a look at the certificate: safe from who listens, not from who stands in between.
     *
     * @param isRequired whether a server without TLS is refused rather than spoken to in clear
     */
    public static ServerTls unverified(boolean isRequired) throws SSLException {
        return new ServerTls(
                builder(false)
                        .trustManager(InsecureTrustManagerFactory.INSTANCE)
                        .build(),
                isRequired);
    }

    /**
     * Encrypted and verified.
     *
     * @param authorities by which the certificate is verified; null = those of the Java runtime
     * @param isHostVerified whether the certificate must also name the host that was connected to
     */
    public static ServerTls verified(@Nullable List<X509Certificate> authorities, boolean isHostVerified)
            throws SSLException {
        SslContextBuilder builder = builder(isHostVerified);
        if (authorities != null) {
            builder.trustManager(authorities);
        }
        return new ServerTls(builder.build(), true);
    }

    private static SslContextBuilder builder(boolean isHostVerified) {
        return SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                // The rules of HTTPS (RFC 2818): alternative names, and the common name where there are none.
                .endpointIdentificationAlgorithm(isHostVerified ? "HTTPS" : null)
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE,
                        SelectedListenerFailureBehavior.ACCEPT,
                        Encryption.POSTGRESQL));
    }

    boolean isRequired() {
        return isRequired;
    }

    SslHandler handler(ByteBufAllocator allocator, String host, int port) {
        return WireTls.bounded(context.newHandler(allocator, host, port));
    }
}
