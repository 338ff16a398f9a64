package dev.trunkline.proxy.backend;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The protocol-level prepared statements that live on one server connection: names by least recent use, and what the
 * unnamed statement is at present.
 */
public final class PreparedStatements {

    private final LinkedHashMap<String, ServerStatement> names = new LinkedHashMap<>(16, 0.75f, true);
    private @Nullable Object unnamed;
    private @Nullable ServerStatement unnamedHere;

    /** True when a statement with this server name is prepared; counts as a use. */
    public boolean has(String serverName) {
        return names.get(serverName) != null;
    }

    /** The statement that is prepared under this server name; null = none. Counts as a use. */
    public @Nullable ServerStatement find(String serverName) {
        return names.get(serverName);
    }

    /** Notes a statement as prepared (or about to be: its Parse has been sent). */
    public void add(String serverName) {
        names.put(serverName, new ServerStatement());
    }

    /** Notes that a statement is gone, or that its Parse failed. */
    public void remove(String serverName) {
        names.remove(serverName);
    }

    /** Takes out the least recently used names beyond a limit, for which Close must be sent. */
    public List<String> evictBeyond(int limit) {
        if (names.size() <= limit) {
            return List.of();
        }
        List<String> evicted = new ArrayList<>();
        Iterator<Map.Entry<String, ServerStatement>> eldest = names.entrySet().iterator();
        while (names.size() > limit && eldest.hasNext()) {
            evicted.add(eldest.next().getKey());
            eldest.remove();
        }
        return evicted;
    }

    /** What was last parsed as the unnamed statement; null = none, or unknown. */
    public @Nullable Object unnamed() {
        return unnamed;
    }

    /** Notes what the unnamed statement is. */
    public void unnamed(@Nullable Object statement) {
        unnamed = statement;
        unnamedHere = null;
    }

    /** The unnamed statement as it is now. */
    public ServerStatement findUnnamed() {
        ServerStatement here = unnamedHere;
        if (here == null) {
            here = new ServerStatement();
            unnamedHere = here;
        }
        return here;
    }

    /** Every statement is gone (DISCARD ALL, DEALLOCATE ALL). */
    public void clear() {
        names.clear();
        unnamed(null);
    }

    public int size() {
        return names.size();
    }
}
