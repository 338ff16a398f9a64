package dev.trunkline.conf.load;

import dev.trunkline.conf.AuthType;
import dev.trunkline.conf.General;
import dev.trunkline.conf.PassthroughAuth;
import dev.trunkline.conf.Secret;
import dev.trunkline.conf.User;
import dev.trunkline.conf.load.Draft.Placed;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules of passwords: what a user is given must be able to prove it in the way that clients are asked. */
final class PasswordRules {

    /** As PostgreSQL stores it: iterations, salt, stored key and server key, the last three in base64. */
    private static final Pattern VERIFIER = Pattern.compile(
            "SCRAM-SHA-256\\$([1-9][0-9]{0,8}:([A-Za-z0-9+/]+={0,2}))\\$([A-Za-z0-9+/]{43}=):([A-Za-z0-9+/]{43}=)");

    private PasswordRules() {}

    static void check(Draft draft, Faults faults) {
        General general = draft.general().record();
        for (Placed<User> user : Draft.sound(draft.users())) {
            user.record().password().stream()
                    .filter(Secret::isScramVerifier)
                    .filter(secret -> !isWhole(secret))
                    .forEach(secret -> faults.add(
                            user.place("password"),
                            "must be a whole verifier, SCRAM-SHA-256$iterations:salt$stored key:server key"));
            if (general != null) {
                fitting(general, user, faults);
            }
        }
    }

    private static void fitting(General general, Placed<User> user, Faults faults) {
        AuthType type = general.authType();
        List<Secret> secrets = user.record().password();
        boolean asksNothing = type == AuthType.TRUST || type == AuthType.CERT;
        boolean asksServers = general.authQuery() != null || general.passthroughAuth() != PassthroughAuth.DISABLED;
        if (secrets.isEmpty() && !asksNothing && !asksServers) {
            faults.add(
                    user.place(),
                    "\"password\" is required unless general.auth_type is \"trust\" or \"cert\", or general.auth_query"
                            + " or passthrough_auth is set");
        }
        boolean isScram = type == AuthType.SCRAM
                || (type == AuthType.MD5 && secrets.stream().anyMatch(Secret::isScramVerifier));
        if (isScram && secrets.stream().anyMatch(Secret::isMd5Hash)) {
            faults.add(
                    user.place("password"),
                    type == AuthType.SCRAM
                            ? "an md5 hash proves nothing by SCRAM: set general.auth_type to \"md5\" or \"plain\""
                            : "a user with a SCRAM verifier is asked by SCRAM, by which an md5 hash proves nothing");
        }
        if (isScram && questions(secrets) > 1) {
            faults.add(
                    user.place("password"),
                    "verifiers of one user must have the same salt and iterations: SCRAM names them before it knows"
                            + " which password is meant; give the other as a password, or make it with that salt");
        }
    }

    /** How many different salts and iterations the whole verifiers ask with. */
    private static long questions(List<Secret> secrets) {
        return secrets.stream()
                .filter(Secret::isScramVerifier)
                .map(secret -> VERIFIER.matcher(secret.value()))
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .distinct()
                .count();
    }

    private static boolean isWhole(Secret secret) {
        Matcher matcher = VERIFIER.matcher(secret.value());
        return matcher.matches()
                && isBase64(matcher.group(2))
                && isBase64(matcher.group(3))
                && isBase64(matcher.group(4));
    }

    private static boolean isBase64(String text) {
        try {
            return Base64.getDecoder().decode(text).length > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
