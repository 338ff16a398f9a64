package dev.trunkline.conf.load;

import dev.trunkline.conf.AuthType;
import dev.trunkline.conf.General;
import dev.trunkline.conf.TlsClientVerify;
import dev.trunkline.conf.TlsVerify;
import dev.trunkline.conf.tls.Certificates;
import dev.trunkline.conf.tls.Identity;
import dev.trunkline.conf.tls.PemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Rules of encryption: the settings fit together, and the files that they name hold what they should. */
final class TlsRules {

    private TlsRules() {}

    static void check(Draft draft, Faults faults) {
        General general = draft.general().record();
        if (general == null) {
            return;
        }
        together(general, faults);
        files(general, faults);
        authorities("tls_client_ca_certificate", general.tlsClientCaCertificate(), faults);
        authorities("tls_server_ca_certificate", general.tlsServerCaCertificate(), faults);
    }

    private static void together(General general, Faults faults) {
        if ((general.tlsCertificate() == null) != (general.tlsPrivateKey() == null)) {
            faults.add("general", "\"tls_certificate\" and \"tls_private_key\" must be set together");
        }
        if (general.tlsClientRequired() && general.tlsCertificate() == null) {
            faults.add("general.tls_client_required", "needs \"tls_certificate\" and \"tls_private_key\"");
        }
        if (general.tlsClientCaCertificate() != null && general.tlsCertificate() == null) {
            faults.add("general.tls_client_ca_certificate", "needs \"tls_certificate\" and \"tls_private_key\"");
        }
        if (general.tlsClientVerify() != TlsClientVerify.DISABLED && general.tlsClientCaCertificate() == null) {
            faults.add("general.tls_client_verify", "needs \"tls_client_ca_certificate\"");
        }
        if (general.authType() == AuthType.CERT && general.tlsClientCaCertificate() == null) {
            faults.add("general.auth_type", "\"cert\" needs \"tls_client_ca_certificate\"");
        }
        boolean isVerified = general.tlsVerify() == TlsVerify.VERIFY_CA || general.tlsVerify() == TlsVerify.VERIFY_FULL;
        if (general.tlsServerCaCertificate() != null && !isVerified) {
            // Else somebody believes that servers are verified.
            faults.add(
                    "general.tls_server_ca_certificate",
                    "means nothing unless \"tls_verify\" is \"verify_ca\" or \"verify_full\"");
        }
    }

    private static void files(General general, Faults faults) {
        List<X509Certificate> chain = certificates("tls_certificate", general.tlsCertificate(), faults);
        Path keyFile = path("tls_private_key", general.tlsPrivateKey(), faults);
        if (keyFile != null && !chain.isEmpty()) {
            try {
                Consumer<Identity> sound = identity -> {};
                sound.accept(Identity.of(chain, keyFile));
            } catch (PemException e) {
                faults.add("general.tls_private_key", e.problem());
            }
        }
    }

    private static void authorities(String key, @Nullable String file, Faults faults) {
        List<X509Certificate> unused = certificates(key, file, faults);
    }

    /** Empty when there is no file or it has a fault. */
    private static List<X509Certificate> certificates(String key, @Nullable String file, Faults faults) {
        Path path = path(key, file, faults);
        if (path == null) {
            return List.of();
        }
        try {
            return Certificates.read(path);
        } catch (PemException e) {
            faults.add("general." + key, e.problem());
            return List.of();
        }
    }

    private static @Nullable Path path(String key, @Nullable String file, Faults faults) {
        if (file == null) {
            return null;
        }
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            faults.add("general." + key, "is not the name of a file");
            return null;
        }
    }
}
