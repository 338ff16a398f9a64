package dev.trunkline.proxy.frontend;

import dev.trunkline.conf.AuthType;
import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.Secret;
import dev.trunkline.conf.User;
import dev.trunkline.proxy.auth.Credentials;
import dev.trunkline.proxy.auth.SaltSource;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who may log in, and how it is proven. Immutable, safe for any thread. */
public final class Accounts {

    private record Key(String database, String user) {}

    private final boolean trust;
    private final SaltSource salts;
    private final Map<Key, Credentials> credentials = new HashMap<>();
    private final Map<Key, User> users = new HashMap<>();

    /** The accounts of a configuration. Derives keys from passwords: not for event loops. */
    public Accounts(Configuration configuration, SecureRandom random) {
        trust = configuration.general().authType() == AuthType.TRUST;
        salts = SaltSource.random(random);
        for (User user : configuration.users()) {
            Key key = new Key(user.database(), user.name());
            users.put(key, user);
            if (!trust && !user.password().isEmpty()) {
                credentials.put(
                        key,
                        Credentials.of(
                                user.name(),
                                user.database(),
                                user.password().stream().map(Secret::value).toList(),
                                salts));
            }
        }
    }

    /** True when no proof is asked for. */
    boolean isTrust() {
        return trust;
    }

    /** The configured user, or null. */
    @Nullable
    User user(String database, String name) {
        return users.get(new Key(database, name));
    }

    /** What the client must prove; for an unknown user or database something that nobody can. */
    Credentials credentials(String database, String name) {
        Credentials known = credentials.get(new Key(database, name));
        return known == null ? Credentials.mock(name, database, salts) : known;
    }
}
