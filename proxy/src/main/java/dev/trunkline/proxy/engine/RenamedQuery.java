package dev.trunkline.proxy.engine;

import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.sql.Keyword;
import dev.trunkline.routing.sql.Lexer;
import dev.trunkline.routing.sql.Tokens;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A PREPARE, EXECUTE or DEALLOCATE by Query that names a statement which the client has prepared by the protocol: the
 * two share their names, and servers have that statement under a name of ours.
 */
final class RenamedQuery {

    private static final int HEADER = 5;

    private final Statement query;
    private final ClientStatement named;

    private RenamedQuery(Statement query, ClientStatement named) {
        this.query = query;
        this.named = named;
    }

    /** The Query in other words, or null where it can go as it is. Strings of several statements always do. */
    static @Nullable RenamedQuery of(List<Statement> statements, ClientStatements known) {
        ClientStatement named = statements.size() == 1 ? known.renamed(statements.get(0)) : null;
        return named == null ? null : new RenamedQuery(statements.get(0), named);
    }

    /** Makes sure that the server has the statement; the Query with the server's name in it. */
    ByteBuf on(ServerConnection server, ExtendedProtocol extended) {
        extended.ensureForQuery(server, named);
        byte[] text = Arrays.copyOfRange(query.text(), query.start(), query.end());
        Tokens tokens = Lexer.lex(text, true);
        int name = nameToken(tokens);
        byte[] serverName = named.serverName().getBytes(StandardCharsets.UTF_8);
        int before = tokens.start(name);
        int behind = text.length - tokens.end(name);
        ByteBuf frame = server.wire().buffer(HEADER + before + serverName.length + behind + 1);
        frame.writeByte('Q').writeInt(Integer.BYTES + before + serverName.length + behind + 1);
        frame.writeBytes(text, 0, before).writeBytes(serverName);
        return frame.writeBytes(text, tokens.end(name), behind).writeByte(0);
    }

    /** The name follows the verb; DEALLOCATE may say PREPARE before it. */
    private static int nameToken(Tokens tokens) {
        boolean wordy = tokens.is(0, Keyword.DEALLOCATE) && tokens.is(1, Keyword.PREPARE) && tokens.count() > 2;
        return wordy ? 2 : 1;
    }
}
