package dev.trunkline.proxy.auth;

import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ScramMechanism;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One thing that the proxy may prove itself to servers by: a password, its MD5 hash, or keys that clients have proven
 * themselves by. For all threads.
 *
 * <p>A server asks with the same salt each time, so the keys derived last are kept: the milliseconds of derivation are
 * spent once per server rather than once per connection.
 */
final class ServerSecret {

    /** Clients of one account may know it by as many verifiers at a time: shards need not store the same one. */
    private static final int MAX_KEYS = 4;

    private final String user;
    private final @Nullable String password;
    private final boolean isHash;
    private final List<ScramKeys> known;
    private final AtomicReference<@Nullable ScramKeys> derived = new AtomicReference<>();

    private ServerSecret(String user, @Nullable String password, boolean isHash, List<ScramKeys> known) {
        this.user = user;
        this.password = password == null || password.isEmpty() ? null : password;
        this.isHash = isHash;
        this.known = List.copyOf(known);
    }

    /** An entry of a configuration: a password, or the MD5 hash of one. */
    static ServerSecret ofEntry(String user, String entry) {
        return new ServerSecret(user, entry, Md5Password.isStored(entry), List.of());
    }

    /** A password that a client has named: it is one, whatever it looks like. */
    static ServerSecret ofPassword(String user, String password) {
        return new ServerSecret(user, password, false, List.of());
    }

    /** Nothing. */
    static ServerSecret none(String user) {
        return new ServerSecret(user, null, false, List.of());
    }

    /** The same with the keys in front; the oldest are left out when they are too many. */
    ServerSecret with(ScramKeys keys) {
        List<ScramKeys> all = new ArrayList<>();
        all.add(keys);
        known.stream()
                .filter(each -> !each.answer(keys.salt(), keys.iterations()))
                .forEach(all::add);
        return new ServerSecret(user, password, isHash, all.subList(0, Math.min(all.size(), MAX_KEYS)));
    }

    /** Whether nothing new can be learned from this. */
    boolean isKnown(ProvenSecret proven) {
        ScramKeys keys = proven.keys();
        return keys == null
                ? Objects.equals(password, proven.password()) && isHash == proven.isHash()
                : known.stream().anyMatch(each -> each.isSame(keys));
    }

    /** Whether there is anything to prove oneself by. */
    boolean isEmpty() {
        return password == null && known.isEmpty();
    }

    /**
     * The password.
     *
     * @throws dev.trunkline.protocol.error.PgException 08001 if it is not known
     */
    String clear() {
        String text = require();
        if (isHash) {
            throw AuthErrors.onlyHashKnown(user);
        }
        return text;
    }

    /**
     * What the server stores for the password by md5.
     *
     * @throws dev.trunkline.protocol.error.PgException 08001 if it is not known
     */
    String md5Hash() {
        return isHash ? require() : Md5Password.stored(user, require());
    }

    /** Fails as {@link #keys} would for any salt: without anything to answer by there is no point in a conversation. */
    void requireForScram() {
        if (known.isEmpty()) {
            String unused = clear();
        }
    }

    private String require() {
        if (password != null) {
            return password;
        }
        throw known.isEmpty() ? AuthErrors.noServerPassword(user) : AuthErrors.onlyKeysKnown(user);
    }

    private boolean isClear() {
        return password != null && !isHash;
    }

    /** Whether {@link #keys} answers at once. */
    boolean hasKeys(byte[] salt, int iterations) {
        return !isClear() || find(salt, iterations) != null;
    }

    /**
     * The keys; derived, which takes milliseconds or more, unless they are known.
     *
     * @throws dev.trunkline.protocol.error.PgException 08001 if they are not known and the password neither
     */
    ScramKeys keys(byte[] salt, int iterations) {
        ScramKeys found = find(salt, iterations);
        if (found != null) {
            return found;
        }
        if (!isClear() && !known.isEmpty()) {
            throw AuthErrors.otherVerifier(user);
        }
        byte[] salted = PasswordVerifier.saltedPassword(clear(), salt, iterations);
        ScramKeys keys = new ScramKeys(
                salt,
                iterations,
                ScramFunctions.clientKey(ScramMechanism.SCRAM_SHA_256, salted),
                ScramFunctions.serverKey(ScramMechanism.SCRAM_SHA_256, salted));
        derived.set(keys);
        return keys;
    }

    private @Nullable ScramKeys find(byte[] salt, int iterations) {
        for (ScramKeys each : known) {
            if (each.answer(salt, iterations)) {
                return each;
            }
        }
        ScramKeys last = derived.get();
        return last != null && last.answer(salt, iterations) ? last : null;
    }
}
