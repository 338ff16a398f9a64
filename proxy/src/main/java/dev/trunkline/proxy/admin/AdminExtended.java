package dev.trunkline.proxy.admin;

import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.backend.CommandComplete;
import dev.trunkline.protocol.backend.DataRow;
import dev.trunkline.protocol.backend.FixedFrames;
import dev.trunkline.protocol.backend.ParameterDescription;
import dev.trunkline.protocol.backend.RowDescription;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.protocol.frontend.Bind;
import dev.trunkline.protocol.frontend.Close;
import dev.trunkline.protocol.frontend.Describe;
import dev.trunkline.protocol.frontend.Execute;
import dev.trunkline.protocol.frontend.Parse;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The extended protocol of the admin database: prepared commands and portals of one session. */
final class AdminExtended {

    /** A command to be carried out; null = an empty one. */
    private record Prepared(@Nullable Command command) {

        List<String> columns() {
            return command == null ? List.of() : command.columns();
        }
    }

    /**
     * A command that is ready.
     *
     * @param format of all columns, 0 text or 1 binary, which for text is the same bytes
     */
    private static final class Portal {
        private final Prepared prepared;
        private final int format;
        private Command.@Nullable Result result;
        private int sent;

        Portal(Prepared prepared, int format) {
            this.prepared = prepared;
            this.format = format;
        }
    }

    private final Commands commands;
    private final Consumer<byte[]> client;
    private final Function<Command, Future<Command.Result>> runner;
    private final Map<String, Prepared> statements = new HashMap<>();
    private final Map<String, Portal> portals = new HashMap<>();

    AdminExtended(Commands commands, Consumer<byte[]> client, Function<Command, Future<Command.Result>> runner) {
        this.commands = commands;
        this.client = client;
        this.runner = runner;
    }

    /** The text of a Query, without what ends it; what is no UTF-8 is taken as best it can be, and is no command. */
    static String text(byte[] frame, int offset, int length) {
        if (length < 1 || frame[offset + length - 1] != 0) {
            throw ProtocolErrors.malformedMessage("Query", "Its text does not end with a zero byte.");
        }
        return new String(frame, offset, length - 1, StandardCharsets.UTF_8);
    }

    void parse(byte[] frame, int offset, int length) {
        Parse parse = Parse.decode(frame, offset, length);
        if (parse.typeCount() > 0) {
            throw AdminErrors.parameters();
        }
        if (!parse.statement().isEmpty() && statements.containsKey(parse.statement())) {
            throw ProtocolErrors.duplicateStatement(parse.statement());
        }
        List<Command> read = commands.read(new String(parse.sql().toByteArray(), StandardCharsets.UTF_8));
        if (read.size() > 1) {
            throw AdminErrors.malformed("Parse", "one command at a time");
        }
        statements.put(parse.statement(), new Prepared(read.isEmpty() ? null : read.get(0)));
        client.accept(FixedFrames.PARSE_COMPLETE);
    }

    private Prepared statement(String name) {
        Prepared prepared = statements.get(name);
        if (prepared == null) {
            throw ProtocolErrors.unknownStatement(name);
        }
        return prepared;
    }

    private Portal portal(String name) {
        Portal portal = portals.get(name);
        if (portal == null) {
            throw ProtocolErrors.unknownPortal(name);
        }
        return portal;
    }

    void bind(byte[] frame, int offset, int length) {
        Bind bind = Bind.decode(frame, offset, length);
        if (bind.parameterCount() > 0) {
            throw AdminErrors.parameters();
        }
        Prepared prepared = statement(bind.statement());
        portals.put(bind.portal(), new Portal(prepared, bind.resultFormatCount() == 0 ? 0 : bind.resultFormat(0)));
        client.accept(FixedFrames.BIND_COMPLETE);
    }

    void describe(byte[] frame, int offset, int length) {
        Describe describe = Describe.decode(frame, offset, length);
        FrameWriter out = new FrameWriter();
        List<String> columns;
        int format = 0;
        if (describe.isStatement()) {
            columns = statement(describe.name()).columns();
            new ParameterDescription(List.of()).encode(out);
        } else {
            Portal portal = portal(describe.name());
            columns = portal.prepared.columns();
            format = portal.format;
        }
        if (columns.isEmpty()) {
            out.bytes(FixedFrames.NO_DATA);
        } else {
            description(columns, format).encode(out);
        }
        client.accept(out.toByteArray());
    }

    private static RowDescription description(List<String> columns, int format) {
        return new RowDescription(columns.stream()
                .map(RowDescription.Field::text)
                .map(field -> new RowDescription.Field(
                        field.name(),
                        field.tableOid(),
                        field.columnNumber(),
                        field.typeOid(),
                        field.typeSize(),
                        field.typeModifier(),
                        format))
                .toList());
    }

    /** Completes with the result when the client has its answer. */
    Future<Command.Result> execute(byte[] frame, int offset, int length) {
        Execute execute = Execute.decode(frame, offset, length);
        Portal portal = portal(execute.portal());
        Command command = portal.prepared.command();
        if (command == null) {
            client.accept(FixedFrames.EMPTY_QUERY_RESPONSE);
            return Future.succeededFuture(Command.Result.done(""));
        }
        Future<Command.Result> run =
                portal.result == null ? runner.apply(command) : Future.succeededFuture(portal.result);
        return run.map(result -> {
            portal.result = result;
            send(portal, result, execute.maxRows());
            return result;
        });
    }

    private void send(Portal portal, Command.Result result, int maxRows) {
        Table table = result.table();
        int count = table == null ? 0 : table.rows().size();
        int end = maxRows > 0 ? Math.min(count, portal.sent + maxRows) : count;
        FrameWriter out = new FrameWriter();
        for (; table != null && portal.sent < end; portal.sent++) {
            row(table, portal.sent).encode(out);
        }
        if (end < count) {
            out.bytes(FixedFrames.PORTAL_SUSPENDED);
        } else {
            complete(result).encode(out);
        }
        client.accept(out.toByteArray());
    }

    void close(byte[] frame, int offset, int length) {
        Close close = Close.decode(frame, offset, length);
        if (close.isStatement()) {
            statements.remove(close.name());
        } else {
            portals.remove(close.name());
        }
        client.accept(FixedFrames.CLOSE_COMPLETE);
    }

    /** The whole answer to a command of a Query, without ReadyForQuery. */
    static byte[] rows(List<String> columns, Command.Result result) {
        FrameWriter out = new FrameWriter();
        Table table = result.table();
        if (table != null) {
            description(columns, 0).encode(out);
            for (int i = 0; i < table.rows().size(); i++) {
                row(table, i).encode(out);
            }
        }
        complete(result).encode(out);
        return out.toByteArray();
    }

    private static DataRow row(Table table, int index) {
        return DataRow.of(table.rows().get(index).toArray(new String[0]));
    }

    private static CommandComplete complete(Command.Result result) {
        return new CommandComplete(result.tag());
    }
}
