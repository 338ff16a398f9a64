package dev.trunkline.conf.load;

import dev.trunkline.conf.General;
import dev.trunkline.conf.User;
import dev.trunkline.conf.load.Draft.Placed;
import java.util.HashMap;
import java.util.Map;

/** Rules of users. */
final class UserRules {

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
