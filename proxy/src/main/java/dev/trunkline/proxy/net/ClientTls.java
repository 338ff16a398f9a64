package dev.trunkline.proxy.net;

import dev.trunkline.conf.tls.Identity;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;

/**
 * How clients are served over TLS. Immutable, for all threads; a reload makes a new one, and a connection keeps the one
 * that it began with: the certificate that it is bound to never changes under it.
 */
public final class ClientTls {

    private final SslContext context;
    private final X509Certificate certificate;

    private ClientTls(SslContext context, X509Certificate certificate) {
        this.context = context;
        this.certificate = certificate;
    }

    /**
     * The server's side of TLS 1.2 and 1.3.
     *
     * @param authorities by which a client's certificate is verified; empty = clients are not asked for one. Who must
     *     show one is decided later, when an error can be told in PostgreSQL's own words
     * @throws SSLException if the platform cannot use the key
     */
    public static ClientTls of(Identity identity, List<X509Certificate> authorities) throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forServer(identity.key(), identity.chain())
                .sslProvider(SslProvider.JDK)
                .applicationProtocolConfig(alpn())
                .clientAuth(authorities.isEmpty() ? ClientAuth.NONE : ClientAuth.OPTIONAL);
        if (!authorities.isEmpty()) {
            builder.trustManager(authorities);
        }
        return new ClientTls(builder.build(), identity.chain().get(0));
    }

    /** A client that speaks ALPN means PostgreSQL or is in the wrong place: somebody may have redirected it. */
    private static ApplicationProtocolConfig alpn() {
        return new ApplicationProtocolConfig(
                Protocol.ALPN,
                SelectorFailureBehavior.FATAL_ALERT,
                SelectedListenerFailureBehavior.ACCEPT,
                Encryption.POSTGRESQL);
    }

    X509Certificate certificate() {
        return certificate;
    }

    SslHandler handler(ByteBufAllocator allocator) {
        return WireTls.bounded(context.newHandler(allocator));
    }
}
