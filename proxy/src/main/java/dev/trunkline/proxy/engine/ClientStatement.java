package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.frontend.Parse;
import dev.trunkline.proxy.backend.ServerStatement;
import dev.trunkline.routing.Pin;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.sql.StatementKind;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement as the client knows it. On servers it has another name, which depends on text, parameter types
 * and search path alone, so that clients share what is prepared; the unnamed statement stays unnamed.
 */
final class ClientStatement {

    private final Parse parse;
    private final String serverName;
    private @Nullable Statement statement;
    private final int[] typeOids;
    private final boolean inSql;
    private @Nullable ServerStatement told;

    /** Of a decoded Parse, whose buffer holds its body and nothing else. */
    ClientStatement(Parse parse, String serverName, @Nullable Statement statement) {
        this(parse, serverName, statement, false);
    }

    /** One that the client has prepared by PREPARE in SQL, which its server connection knows by the same name. */
    static ClientStatement inSql(String name) {
        Parse nothing = new Parse(name, ByteSlice.of(new byte[0]), ByteSlice.of(new byte[0]));
        return new ClientStatement(nothing, name, null, true);
    }

    private ClientStatement(Parse parse, String serverName, @Nullable Statement statement, boolean inSql) {
        this.inSql = inSql;
        this.parse = parse;
        this.serverName = serverName;
        this.statement = statement;
        this.typeOids = new int[parse.typeCount()];
        for (int i = 0; i < typeOids.length; i++) {
            typeOids[i] = parse.typeOid(i);
        }
    }

    /** True when it was made of a Parse with this body. */
    boolean isMadeOf(byte[] body) {
        return Arrays.equals(parse.sql().bytes(), body);
    }

    /** Prepared by PREPARE in SQL: it lives on the session's own connection and cannot be prepared elsewhere. */
    boolean isInSql() {
        return inSql;
    }

    /** As the client calls it; empty = unnamed. */
    String name() {
        return parse.statement();
    }

    boolean isUnnamed() {
        return parse.statement().isEmpty();
    }

    String serverName() {
        return serverName;
    }

    /** What it is; null for a text without any statement. */
    @Nullable
    Statement statement() {
        return statement;
    }

    /** Notes what its names mean now. */
    void statement(Statement understood) {
        statement = understood;
    }

    /** Where the client was told what its rows look like; null = it was not told. */
    @Nullable
    ServerStatement told() {
        return told;
    }

    /** Notes where the client was told, or null when it parses the statement anew and expects nothing. */
    void told(@Nullable ServerStatement there) {
        told = there;
    }

    Pin pin() {
        return statement == null ? Pin.NONE : statement.pin();
    }

    StatementKind kind() {
        return statement == null ? StatementKind.EMPTY : statement.kind();
    }

    /** The parameter types that Parse gave; 0 = open. */
    int[] typeOids() {
        return typeOids;
    }

    /** The Parse message under its server name. */
    byte[] parseMessage() {
        FrameWriter out = new FrameWriter();
        new Parse(serverName, parse.sql(), parse.typeOids()).encode(out);
        return out.toByteArray();
    }
}
