package dev.trunkline.proxy.engine;

import dev.trunkline.proxy.settings.Settings;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The run-time parameters that a session has set and the channels that it listens to by way of the proxy, with
 * PostgreSQL's rules for transactions: ROLLBACK undoes what the block set, ROLLBACK TO what was set since the savepoint. SET LOCAL is not kept here; it ends with the transaction on
 * the server by itself.
 */
final class SessionSettings {

    private record Savepoint(String name, Settings settings, Set<String> channels) {}

    private Settings base;
    private Settings committed;
    private Settings current;
    private Set<String> channels = Set.of();
    private Set<String> committedChannels = Set.of();
    private final ArrayDeque<Savepoint> savepoints = new ArrayDeque<>(0);

    /** A session that begins with the settings of its start-up packet: RESET goes back to these. */
    SessionSettings(Settings startup) {
        base = startup;
        committed = startup;
        current = startup;
    }

    /** True when the client's defaults are not the server's: a RESET alone does not bring them back. */
    boolean hasDefaults() {
        return base != Settings.NONE;
    }

    /** What must be set on a server connection for this session's next statement. */
    Settings current() {
        return current;
    }

    /** SET name TO value; null for DEFAULT and RESET. */
    void set(String name, @Nullable String value) {
        String wanted = value == null ? base.get(name) : value;
        // Another session authorization takes the role with it, which is why it is reset first.
        current = current.reset(name);
        if (wanted != null) {
            current = current.with(name, wanted);
        }
    }

    /** A DateStyle that the session has set is, as a whole, what the server reports; true when it was written otherwise. */
    boolean dateStyle(String reported) {
        if (current == base) {
            return false;
        }
        String set = current.get(Settings.DATE_STYLE);
        String whole = Settings.literal(reported);
        if (set == null || set.equals(base.get(Settings.DATE_STYLE)) || set.equals(whole)) {
            return false;
        }
        current = current.with(Settings.DATE_STYLE, whole);
        return true;
    }

    /** RESET ALL, which keeps role and session authorization. */
    void resetAll() {
        current = withDefaults(current.resetAll());
    }

    /** Settings with the client's own defaults in the place of the server's. */
    private Settings withDefaults(Settings reset) {
        Settings whole = reset;
        for (Map.Entry<String, String> entry : base.values().entrySet()) {
            if (!Settings.isIdentity(entry.getKey())) {
                whole = whole.with(entry.getKey(), entry.getValue());
            }
        }
        return whole;
    }

    /** LISTEN. */
    void listen(String channel) {
        Set<String> more = new HashSet<>(channels);
        more.add(channel);
        channels = Set.copyOf(more);
    }

    /** UNLISTEN; null for all. */
    void unlisten(@Nullable String channel) {
        Set<String> fewer = new HashSet<>(channel == null ? Set.of() : channels);
        fewer.remove(channel);
        channels = Set.copyOf(fewer);
    }

    /** What the session listens to as of the last transaction that has committed. */
    Set<String> channels() {
        return committedChannels;
    }

    /** DISCARD ALL. */
    void discardAll() {
        current = base;
        committed = base;
        channels = Set.of();
        committedChannels = channels;
        savepoints.clear();
    }

    void committed() {
        committed = current;
        committedChannels = channels;
        savepoints.clear();
    }

    void rolledBack() {
        current = committed;
        channels = committedChannels;
        savepoints.clear();
    }

    void savepoint(String name) {
        savepoints.push(new Savepoint(name, current, channels));
    }

    void release(String name) {
        popTo(name);
        savepoints.poll();
    }

    void rollbackTo(String name) {
        popTo(name);
        Savepoint kept = savepoints.peek();
        if (kept != null) {
            current = kept.settings;
            channels = kept.channels;
        }
    }

    /** Drops the savepoints above the youngest of this name; an unknown name drops none. */
    private void popTo(String name) {
        int above = 0;
        for (Iterator<Savepoint> each = savepoints.iterator(); each.hasNext(); above++) {
            if (each.next().name.equals(name)) {
                for (int i = 0; i < above; i++) {
                    savepoints.pop();
                }
                return;
            }
        }
    }
}
