package dev.trunkline.proxy.pool;

import dev.trunkline.proxy.backend.ServerConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one loop that wait for a session. The one that was used last is used first, so that those that are
 * not needed grow old.
 */
final class IdleConnections {

    private final ArrayDeque<ServerConnection> connections = new ArrayDeque<>();

    int size() {
        return connections.size();
    }

    boolean contains(ServerConnection server) {
        return connections.contains(server);
    }

    /** Adds one that has just been used. */
    void push(ServerConnection server, long nowNanos) {
        server.idleSince(nowNanos);
        connections.push(server);
    }

    /** Puts one back that was only looked at: to be looked at is no use that would keep it from growing old. */
    void putBack(ServerConnection server) {
        connections.addLast(server);
    }

    /** Takes the one used last; null if there is none. It may have been lost. */
    @Nullable
    ServerConnection poll() {
        return connections.poll();
    }

    /** Takes this one out; false if it is not here. */
    boolean take(ServerConnection server) {
        return connections.remove(server);
    }

    /** Takes out, oldest first, what the condition chooses. */
    List<ServerConnection> takeIf(Predicate<ServerConnection> condition) {
        List<ServerConnection> taken = new ArrayList<>();
        for (Iterator<ServerConnection> each = connections.descendingIterator(); each.hasNext(); ) {
            ServerConnection server = each.next();
            if (condition.test(server)) {
                each.remove();
                taken.add(server);
            }
        }
        return taken;
    }

    /** Takes out all, and does something with each. */
    void drain(Consumer<ServerConnection> action) {
        ServerConnection server = connections.poll();
        while (server != null) {
            action.accept(server);
            server = connections.poll();
        }
    }
}
