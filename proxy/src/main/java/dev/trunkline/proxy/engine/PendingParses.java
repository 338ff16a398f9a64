package dev.trunkline.proxy.engine;

import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The Parses of a batch that wait until it is known where their statements run. The message of the first is kept as it
 * came when it names no statement, for it goes out unchanged: with the messages behind it in one piece.
 */
final class PendingParses {

    private final List<ClientStatement> statements = new ArrayList<>(0);
    private @Nullable ByteBuf first;
    private int firstStart;
    private int firstEnd;

    boolean isEmpty() {
        return statements.isEmpty();
    }

    int count() {
        return statements.size();
    }

    ClientStatement get(int index) {
        return statements.get(index);
    }

    /** Adds one whose message is gone. */
    void add(ClientStatement statement) {
        statements.add(statement);
    }

    /** Adds one; the caller keeps its reference to the buffer that its message lies in. */
    void add(ClientStatement statement, ByteBuf buffer, int start, int end) {
        if (statements.isEmpty() && statement.isUnnamed()) {
            first = buffer.retain();
            firstStart = start;
            firstEnd = end;
        }
        statements.add(statement);
    }

    /** Sends one of them: the client gets its answer from the server. */
    void send(int index, Preparer preparer, ServerConnection to, Reply.Listener listener) {
        ByteBuf message = first;
        if (index == 0 && message != null) {
            preparer.parseUnnamed(to, statements.get(0), message, firstStart, firstEnd, listener);
        } else {
            preparer.parse(to, statements.get(index), listener);
        }
    }

    void forEach(Consumer<ClientStatement> action) {
        statements.forEach(action);
    }

    void clear() {
        statements.clear();
        ByteBuf message = first;
        if (message != null) {
            first = null;
            message.release();
        }
    }
}
