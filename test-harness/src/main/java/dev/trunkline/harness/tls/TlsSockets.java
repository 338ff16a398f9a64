package dev.trunkline.harness.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Sockets for clients of tests: they take every certificate, for what it says is looked at afterwards. */
public final class TlsSockets {

    private TlsSockets() {}

    /** Sockets that show no certificate of their own. */
    public static SSLSocketFactory anonymous() {
        return factory(null);
    }

    /** Sockets that show the given certificate if they are asked for one. */
    public static SSLSocketFactory showing(Issued identity) {
        return factory(identity);
    }

    private static SSLSocketFactory factory(@Nullable Issued identity) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    identity == null ? new KeyManager[0] : keyManagers(identity),
                    new TrustManager[] {new TrustAll()},
                    null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyManager[] keyManagers(Issued identity) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("own", identity.key(), new char[0], new Certificate[] {identity.certificate()});
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    private static final class TrustAll extends X509ExtendedTrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
