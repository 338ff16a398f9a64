package dev.trunkline.proxy.frontend;

import dev.trunkline.conf.Admin;
import dev.trunkline.conf.AuthType;
import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.Database;
import dev.trunkline.conf.General;
import dev.trunkline.conf.Secret;
import dev.trunkline.conf.User;
import dev.trunkline.proxy.auth.ClientExchange;
import dev.trunkline.proxy.auth.Credentials;
import dev.trunkline.proxy.auth.EndpointBinding;
import dev.trunkline.proxy.auth.PasswordExchange;
import dev.trunkline.proxy.auth.PasswordVerifier;
import dev.trunkline.proxy.auth.SaltSource;
import dev.trunkline.proxy.auth.ScramServerExchange;
import dev.trunkline.proxy.auth.StoredPasswords;
import dev.trunkline.proxy.net.Encryption;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who may log in, and how it is proven. Immutable, safe for any thread; a reload makes new ones. */
public final class Accounts {

    private static final Logger LOG = LoggerFactory.getLogger(Accounts.class);

    private record Key(String database, String user) {}

    private final General general;
    private final AuthType type;
    private final SaltSource salts;
    private final Map<String, Database> databases = new HashMap<>();
    private final Map<Key, Credentials> credentials = new HashMap<>();
    private final Map<Key, StoredPasswords> passwords = new HashMap<>();
    private final Map<Key, User> users = new HashMap<>();
    private final StoredPasswords unknown;
    private final Admin admin;

    /** The accounts of a configuration. Derives keys from passwords: not for event loops. */
    public Accounts(Configuration configuration, SaltSource salts) {
        this.general = configuration.general();
        this.type = general.authType();
        this.salts = salts;
        configuration.databases().forEach(server -> databases.putIfAbsent(server.name(), server));
        for (User user : configuration.users()) {
            users.put(new Key(user.database(), user.name()), user);
            if (!user.password().isEmpty() && !asksNothing()) {
                add(user, user.password().stream().map(Secret::value).toList());
            }
        }
        this.admin = configuration.admin();
        Secret password = admin.password();
        if (password != null) {
            addAdmin(password.value());
        }
        this.unknown = forUnknown();
    }

    /** The administrator proves who it is also where nobody else has to. */
    private void addAdmin(String password) {
        Key key = new Key(admin.name(), admin.user());
        if (asksNothing() || isScram(List.of(password))) {
            credentials.put(key, Credentials.of(admin.user(), admin.name(), List.of(password), salts));
        } else {
            passwords.put(key, StoredPasswords.of(List.of(password)));
        }
    }

    /** True for the name of the admin database, if that is open. */
    boolean isAdmin(String database) {
        return admin.password() != null && admin.name().equals(database);
    }

    private void add(User user, List<String> secrets) {
        Key key = new Key(user.database(), user.name());
        if (isScram(secrets)) {
            credentials.put(key, Credentials.of(user.name(), user.database(), secrets, salts));
        } else {
            passwords.put(key, StoredPasswords.of(secrets));
        }
    }

    /** As PostgreSQL, which asks by SCRAM where it is told md5 but has a verifier: nothing else can be told from it. */
    private boolean isScram(List<String> secrets) {
        return type == AuthType.SCRAM
                || (type == AuthType.MD5 && secrets.stream().anyMatch(PasswordVerifier::isStored));
    }

    /** The settings that logins go by. */
    General general() {
        return general;
    }

    /** True when no password is asked for. */
    boolean asksNothing() {
        return type == AuthType.TRUST || type == AuthType.CERT;
    }

    /** The configured user, or null. */
    public @Nullable User user(String database, String name) {
        return users.get(new Key(database, name));
    }

    /** A user that the configuration does not name, with what it has for those: a server has vouched for it. */
    User onDemand(String database, String name) {
        Database server = databases.get(database);
        if (server == null) {
            throw new IllegalStateException("no database " + database);
        }
        return new User(name, database, List.of(), name, List.of(), general.defaultPoolSize(), server.poolerMode());
    }

    private boolean isKnown(Key key) {
        return credentials.containsKey(key) || passwords.containsKey(key);
    }

    /** Whether the password entry is read from the server: the configuration has none, and says how. */
    boolean isQueried(String database, String name) {
        return general.authQuery() != null && databases.containsKey(database) && !isKnown(new Key(database, name));
    }

    /**
     * Whether the server judges the password, which comes in clear: the configuration has none, and allows it on this
     * connection. Never for the admin database, which is no server's.
     */
    boolean isPassedThrough(String database, String name, @Nullable Encryption encryption) {
        boolean isAllowed = switch (general.passthroughAuth()) {
            case DISABLED -> false;
            case ENABLED -> encryption != null;
            case ENABLED_PLAIN -> true;
        };
        return isAllowed && databases.containsKey(database) && !isKnown(new Key(database, name));
    }

    /**
     * How the client is asked to prove itself; an unknown user or database is asked something that nobody can answer.
     *
     * @param entry what a server stores for the user's password; null = the configuration's own are meant
     */
    ClientExchange exchange(
            String database,
            String name,
            @Nullable String entry,
            @Nullable Encryption encryption,
            SecureRandom random) {
        Key key = new Key(database, name);
        boolean isAdminOfTrust = asksNothing() && isAdmin(database);
        if (isAdminOfTrust
                || (entry == null ? isScram(List.of()) || credentials.containsKey(key) : isScram(List.of(entry)))) {
            return new ScramServerExchange(
                    name,
                    database,
                    scram(key, entry),
                    encryption == null ? null : EndpointBinding.of(encryption.own()),
                    random);
        }
        StoredPasswords known =
                entry == null ? passwords.getOrDefault(key, unknown) : StoredPasswords.of(List.of(entry));
        return type == AuthType.MD5
                ? PasswordExchange.md5(name, database, known, random)
                : PasswordExchange.clear(name, database, known);
    }

    /** What nothing fits; where others take time to compare, so does this, or the time would tell who exists. */
    private StoredPasswords forUnknown() {
        boolean isCostly =
                general.authQuery() != null || passwords.values().stream().anyMatch(StoredPasswords::isClearCostly);
        return type == AuthType.PLAIN && isCostly ? StoredPasswords.COSTLY_NONE : StoredPasswords.NONE;
    }

    private Credentials scram(Key key, @Nullable String entry) {
        Credentials known = entry == null ? credentials.get(key) : ofVerifier(key, entry);
        return known == null ? Credentials.mock(key.user(), key.database(), salts) : known;
    }

    private @Nullable Credentials ofVerifier(Key key, String entry) {
        try {
            if (PasswordVerifier.isStored(entry)) {
                return Credentials.of(key.user(), key.database(), List.of(entry), salts);
            }
        } catch (IllegalArgumentException e) {
            // Malformed: as if there were none.
        }
        LOG.warn("user {} of database {} has no SCRAM verifier to log in by", key.user(), key.database());
        return null;
    }
}
