package dev.trunkline.conf.load;

import dev.trunkline.conf.AuthType;
import dev.trunkline.conf.General;
import dev.trunkline.conf.Secret;
import dev.trunkline.conf.User;
import dev.trunkline.conf.load.Draft.Placed;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Rules of users. */
final class UserRules {

    /** As PostgreSQL stores it: iterations, salt, stored key and server key, the last three in base64. */
    private static final Pattern VERIFIER =
            Pattern.compile("SCRAM-SHA-256\\$[0-9]{1,9}:[A-Za-z0-9+/=]+\\$[A-Za-z0-9+/=]{44}:[A-Za-z0-9+/=]{44}");

    private UserRules() {}

    static void knownDatabase(Draft draft, Faults faults) {
        for (Placed<User> user : Draft.sound(draft.users())) {
            Names.requireDatabase(draft, user.place(), user.record().database(), faults);
        }
    }

    static void eachOnce(Draft draft, Faults faults) {
        record Login(String user, String database) {}
        Map<Login, String> seen = new HashMap<>();
        for (Placed<User> user : Draft.sound(draft.users())) {
            Login login = new Login(user.record().name(), user.record().database());
            String first = seen.putIfAbsent(login, user.place());
            if (first != null) {
                faults.add(
                        user.place(),
                        "user \"" + login.user() + "\" of database \"" + login.database() + "\" is already " + first);
            }
        }
    }

    static void password(Draft draft, Faults faults) {
        General general = draft.general().record();
        for (Placed<User> user : Draft.sound(draft.users())) {
            if (user.record().password().isEmpty() && general != null && general.authType() != AuthType.TRUST) {
                faults.add(user.place(), "\"password\" is required unless general.auth_type is \"trust\"");
            }
            user.record().password().stream()
                    .filter(Secret::isScramVerifier)
                    .filter(secret -> !VERIFIER.matcher(secret.value()).matches())
                    .forEach(secret -> faults.add(
                            user.place("password"),
                            "must be a whole verifier, SCRAM-SHA-256$iterations:salt$stored key:server key"));
        }
    }

    static void poolSize(Draft draft, Faults faults) {
        General general = draft.general().record();
        if (general == null) {
            return;
        }
        for (Placed<User> user : Draft.sound(draft.users())) {
            int size = user.record().poolSize();
            if (size != general.defaultPoolSize() && size < general.minPoolSize()) {
                faults.add(
                        user.place("pool_size"),
                        "must not be less than general.min_pool_size (" + general.minPoolSize() + ")");
            }
        }
    }
}
