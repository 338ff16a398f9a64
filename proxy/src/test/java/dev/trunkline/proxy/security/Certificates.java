package dev.trunkline.proxy.security;

import dev.trunkline.harness.pg.PgServer;
import dev.trunkline.harness.tls.Algorithm;
import dev.trunkline.harness.tls.Authority;
import dev.trunkline.harness.tls.Issued;
import dev.trunkline.proxy.fixture.TestProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of one test: {@code proxy.crt}, {@code proxy.key} for 127.0.0.1 and localhost, and their authority. */
final class Certificates {

    private final Path folder;
    private final Authority authority = Authority.named("authority of the test");

    Certificates(Path folder) {
        this.folder = folder;
        issueProxy();
        write("ca.crt", authority.own().certificatePem());
    }

    /** A new certificate for the proxy, of the same authority. */
    Issued issueProxy() {
        Issued issued = authority.issue("proxy", "localhost", "127.0.0.1");
        issued.write(folder, "proxy");
        return issued;
    }

    /** A certificate for the proxy of another kind, of an authority of its own. */
    Issued issueProxy(Algorithm algorithm) {
        Issued issued = Authority.of(algorithm, "another").issue("proxy", "localhost", "127.0.0.1");
        issued.write(folder, "proxy");
        return issued;
    }

    /** A certificate of the authority. */
    Issued issue(String name, String... hosts) {
        return authority.issue(name, hosts);
    }

    /** Lets a server speak TLS with a certificate of the authority, for the given hosts. */
    void secure(PgServer server, String... hosts) {
        Issued issued = authority.issue("server", hosts);
        server.tls(issued.certificatePem(), issued.keyPem());
    }

    String file(String name) {
        return folder.resolve(name).toString();
    }

    void write(String name, String text) {
        try {
            Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Clients get TLS. */
    TestProxy.Setup forClients(TestProxy.Setup setup) {
        return setup.general("tls_certificate", file("proxy.crt")).general("tls_private_key", file("proxy.key"));
    }
}
