package dev.trunkline.proxy.auth;

import java.util.List;
import java.util.Objects;

/**
 * The proxy's user on servers and what it proves itself by; for all threads.
 *
 * <p>One per configured account, kept as long as the configuration. Of several passwords the one that was accepted last
 * is used first; a server that refuses it is tried with the next, so that a password can change on servers and in the
 * configuration at different moments. An account may also learn from the clients that log in under its name.
 */
public final class ServerAccount {

    private record Secrets(List<String> passwords, List<ServerSecret> all, int current) {

        static Secrets of(String user, List<String> passwords) {
            List<ServerSecret> all = passwords.isEmpty()
                    ? List.of(ServerSecret.none(user))
                    : passwords.stream()
                            .map(entry -> ServerSecret.ofEntry(user, entry))
                            .toList();
            return new Secrets(passwords, all, 0);
        }

        ServerSecret used() {
            return all.get(current);
        }
    }

    private final String user;
    private volatile Secrets secrets;

    /** The account with its passwords or stored MD5 hashes; without one only a server that trusts lets it in. */
    public ServerAccount(String user, List<String> passwords) {
        this.user = user;
        this.secrets = Secrets.of(user, List.copyOf(passwords));
    }

    /** The account of a client that has named its password. */
    public static ServerAccount ofClient(String user, String password) {
        ServerAccount account = new ServerAccount(user, List.of());
        account.learn(ProvenSecret.of(password));
        return account;
    }

    /** The user on the server. */
    public String user() {
        return user;
    }

    /** What to try next. */
    ServerSecret secret() {
        return secrets.used();
    }

    /** How many secrets there are to try; at least one. */
    public int secretCount() {
        return secrets.all.size();
    }

    /** True when there is nothing to prove oneself by: only a server that trusts lets the account in. */
    public boolean isWithoutSecret() {
        return secrets.used().isEmpty();
    }

    /** A server has refused this secret: another is tried next, if there is one and it is still the one in use. */
    synchronized void refused(ServerSecret used) {
        Secrets now = secrets;
        if (now.used() == used) {
            secrets = new Secrets(now.passwords, now.all, (now.current + 1) % now.all.size());
        }
    }

    /** The passwords of a new configuration; what is known of the old ones stays if they are the same. */
    public synchronized void replace(List<String> passwords) {
        if (!secrets.passwords.equals(passwords)) {
            secrets = Secrets.of(user, List.copyOf(passwords));
        }
    }

    /** A client has proven itself to be this user; what it has proven itself by opens connections from now on. */
    public synchronized void learn(ProvenSecret proven) {
        ScramKeys keys = proven.keys();
        if (secrets.used().isKnown(proven)) {
            return;
        }
        ServerSecret secret = keys == null ? named(proven) : secrets.used().with(keys);
        secrets = new Secrets(secrets.passwords, List.of(secret), 0);
    }

    private ServerSecret named(ProvenSecret proven) {
        String password = Objects.requireNonNull(proven.password());
        return proven.isHash() ? ServerSecret.ofEntry(user, password) : ServerSecret.ofPassword(user, password);
    }

    /** Without the passwords. */
    @Override
    public String toString() {
        return "ServerAccount[user=" + user + "]";
    }
}
