package dev.trunkline.proxy.frontend;

import dev.trunkline.conf.AuthType;
import dev.trunkline.conf.General;
import dev.trunkline.conf.TlsClientVerify;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.proxy.net.Encryption;
import java.security.cert.X509Certificate;
import javax.naming.InvalidNameException;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.jspecify.annotations.Nullable;

/** What is asked of a client's connection before its password is. */
final class ClientCertificates {

    private ClientCertificates() {}

    /** Throws PgException FATAL: 08004 if TLS is demanded and absent, 28000 if a certificate is, or is another user's. */
    static void check(General general, @Nullable Encryption encryption, String user) {
        if (general.tlsClientRequired() && encryption == null) {
            throw ProtocolErrors.tlsRequired();
        }
        boolean isUsersOwn =
                general.authType() == AuthType.CERT || general.tlsClientVerify() == TlsClientVerify.VERIFY_FULL;
        if (!isUsersOwn && general.tlsClientVerify() == TlsClientVerify.DISABLED) {
            return;
        }
        // What the handshake has let through comes from an authority that we know.
        X509Certificate certificate = encryption == null ? null : encryption.peer();
        if (certificate == null) {
            throw FrontendErrors.certificateRequired();
        }
        if (isUsersOwn && !user.equals(commonName(certificate))) {
            throw FrontendErrors.certificateOfAnother(user);
        }
    }

    /** The first common name of the subject, as PostgreSQL takes it; null without one. */
    static @Nullable String commonName(X509Certificate certificate) {
        try {
            // The list begins with the part that stands first in the certificate.
            for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                Attribute name = part.toAttributes().get("CN");
                if (name != null && name.get() instanceof String text) {
                    return text;
                }
            }
            return null;
        } catch (InvalidNameException e) {
            return null;
        } catch (NamingException e) {
            return null;
        }
    }
}
