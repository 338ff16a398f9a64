package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.frontend.FrontendType;
import dev.trunkline.protocol.frontend.Parse;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.sql.Lexer;
import dev.trunkline.routing.sql.StatementKind;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;

/**
 * LISTEN as a server gets it whose connection must not listen, because others will use it: as UNLISTEN, which has the
 * same form, fails where LISTEN would, and changes nothing there. The client sees the command tag of a LISTEN.
 */
final class ListenText {

    /** What the client sees in place of the UNLISTEN's. */
    static final byte[] COMPLETE = StatementRunner.commandComplete("LISTEN");

    private static final byte[] PREFIX = {'U', 'N'};

    private ListenText() {}

    static boolean isIn(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i).kind() == StatementKind.LISTEN) {
                return true;
            }
        }
        return false;
    }

    /** A Query of these statements. */
    static byte[] query(byte[] text, List<Statement> statements) {
        FrameWriter out = new FrameWriter();
        out.begin(FrontendType.QUERY);
        out.cstring(ByteSlice.of(changed(text, statements)));
        out.end();
        return out.toByteArray();
    }

    /** A Parse of this statement. */
    static Parse parse(Parse listen, Statement statement) {
        return new Parse(
                listen.statement(),
                ByteSlice.of(changed(listen.sql().toByteArray(), List.of(statement))),
                listen.typeOids());
    }

    private static byte[] changed(byte[] text, List<Statement> statements) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length + PREFIX.length);
        int from = 0;
        for (Statement statement : statements) {
            if (statement.kind() == StatementKind.LISTEN) {
                int verb = statement.start() + firstToken(text, statement);
                out.write(text, from, verb - from);
                out.writeBytes(PREFIX);
                from = verb;
            }
        }
        out.write(text, from, text.length - from);
        return out.toByteArray();
    }

    private static int firstToken(byte[] text, Statement statement) {
        return Lexer.lex(Arrays.copyOfRange(text, statement.start(), statement.end()), true)
                .start(0);
    }
}
