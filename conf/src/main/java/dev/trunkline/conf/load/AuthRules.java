package dev.trunkline.conf.load;

import dev.trunkline.conf.AuthType;
import dev.trunkline.conf.General;
import dev.trunkline.conf.PassthroughAuth;

/** Rules of users that the servers know and the configuration does not. */
final class AuthRules {

    private AuthRules() {}

    static void check(Draft draft, Faults faults) {
        General general = draft.general().record();
        if (general == null) {
            return;
        }
        query(general, faults);
        if (general.passthroughAuth() == PassthroughAuth.ENABLED && general.tlsCertificate() == null) {
            faults.add(
                    "general.passthrough_auth",
                    "\"enabled\" needs \"tls_certificate\": passwords come in clear; \"enabled_plain\" accepts that");
        }
        boolean asksNothing = general.authType() == AuthType.TRUST || general.authType() == AuthType.CERT;
        if (asksNothing && general.authQuery() != null) {
            faults.add("general.auth_query", "means nothing where \"auth_type\" asks for no password");
        }
        if (asksNothing && general.passthroughAuth() != PassthroughAuth.DISABLED) {
            faults.add("general.passthrough_auth", "means nothing where \"auth_type\" asks for no password");
        }
    }

    private static void query(General general, Faults faults) {
        if ((general.authQuery() == null) != (general.authUser() == null)) {
            faults.add("general", "\"auth_query\" and \"auth_user\" must be set together");
        }
        if (general.authQuery() == null && general.authPassword() != null) {
            faults.add("general.auth_password", "needs \"auth_query\" and \"auth_user\"");
        }
        String query = general.authQuery();
        if (query != null && !query.contains("$1")) {
            faults.add("general.auth_query", "must name the user by $1");
        }
        if (general.authPassword() != null && general.authPassword().isScramVerifier()) {
            faults.add("general.auth_password", "a stored verifier opens no session on a server");
        }
    }
}
