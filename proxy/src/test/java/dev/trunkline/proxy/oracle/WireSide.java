package dev.trunkline.proxy.oracle;

import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A connection that speaks the protocol itself. */
final class WireSide implements Side {

    private static final int MOST_PREPARED = 40;

    private record Prepared(String name, Transcription description) {}

    private final Mode mode;
    private final WireClient client;
    private final Map<String, Prepared> prepared = new LinkedHashMap<>();
    private int nextName;
    private Block block = Block.NONE;

    WireSide(Mode mode, Mode.Place place) {
        this.mode = mode;
        this.client = WireClient.login("127.0.0.1", place.port(), place.user(), place.database());
    }

    @Override
    public Said ask(Request request) {
        try {
            Said said = exchange(request);
            if (said.lines().contains("C DISCARD ALL") || said.lines().contains("C DEALLOCATE ALL")) {
                prepared.clear();
            }
            return said;
        } catch (RuntimeException | AssertionError failure) {
            return Said.broken(failure);
        }
    }

    private Said exchange(Request request) {
        return switch (request.how()) {
            case STRING -> said(strings(request.statements()), request);
            case PIPELINE -> said(pipeline(request.statements()), request);
            case ALONE, CONTROL -> alone(request);
        };
    }

    private Answer strings(List<Sql> statements) {
        return client.simple(
                String.join("; ", statements.stream().map(Sql::constants).toList()));
    }

    private Answer pipeline(List<Sql> statements) {
        for (Sql sql : statements) {
            client.parse("", sql.numbered(), sql.oidArray());
            bind("", sql);
            client.describe("").execute("");
        }
        return client.sync().answer();
    }

    private Said alone(Request request) {
        Sql sql = request.sql();
        if (mode == Mode.SIMPLE) {
            return said(client.simple(sql.constants()), request);
        }
        if (mode.isPrepared()) {
            return prepared(request);
        }
        client.parse("", sql.numbered(), sql.oidArray());
        if (mode == Mode.FLUSHED) {
            client.describeStatement("").flush().push();
        }
        bind("", sql);
        return said(client.describe("").execute("").sync().answer(), request);
    }

    private void bind(String statement, Sql sql) {
        Object[] values = (mode.isBinary() ? sql.inBinary() : sql.inText()).toArray();
        if (mode.isBinary()) {
            client.send(Frontend.bind("", statement, values, 1));
        } else {
            client.bind("", statement, values);
        }
    }

    /** A named statement; what Parse and Describe said belongs to every answer of it, whenever it was prepared. */
    private Said prepared(Request request) {
        Sql sql = request.sql();
        String key = sql.numbered() + sql.oids();
        Prepared statement = prepared.get(key);
        if (statement == null) {
            closeOldest();
            String name = "s" + ++nextName;
            Answer answer = client.parse(name, sql.numbered(), sql.oidArray())
                    .describeStatement(name)
                    .sync()
                    .answer();
            note(answer);
            Transcription description = Transcription.of(answer, false);
            if (description.sqlState() != null) {
                return description.said(client);
            }
            statement = new Prepared(name, description);
            prepared.put(key, statement);
        }
        bind(statement.name(), sql);
        Answer answer = client.execute("").sync().answer();
        note(answer);
        Transcription result = Transcription.of(answer, request.ordered());
        return result.sqlState() == null ? statement.description().and(result).said(client) : result.said(client);
    }

    private void closeOldest() {
        if (prepared.size() >= MOST_PREPARED) {
            Map.Entry<String, Prepared> oldest = prepared.entrySet().iterator().next();
            prepared.remove(oldest.getKey());
            note(client.closeStatement(oldest.getValue().name()).sync().answer());
        }
    }

    private Said said(Answer answer, Request request) {
        note(answer);
        return Transcription.of(answer, request.ordered()).said(client);
    }

    private void note(Answer answer) {
        block = switch (answer.status()) {
            case 'T' -> Block.OPEN;
            case 'E' -> Block.FAILED;
            default -> Block.NONE;
        };
    }

    @Override
    public Block block() {
        return block;
    }

    @Override
    public void follow(Block other) {
        if (other == Block.FAILED && block == Block.NONE) {
            note(client.simple("BEGIN"));
        }
        if (other == Block.FAILED && block == Block.OPEN) {
            note(client.simple("SELECT 1/0"));
        }
        if (block != other) {
            throw new AssertionError("the blocks have parted: " + block + " beside " + other);
        }
    }

    @Override
    public void sendUnanswered(Request request) {
        Sql sql = request.sql();
        if (mode == Mode.SIMPLE && block != Block.NONE) {
            client.query(sql.constants());
        } else {
            client.parse("", sql.numbered(), sql.oidArray());
            bind("", sql);
            client.execute("").flush();
        }
        client.push();
    }

    @Override
    public void vanish(Step.Way way) {
        switch (way) {
            case TERMINATE -> client.send(Frontend.terminate()).push().close();
            case CLOSE -> client.close();
            case RESET -> client.reset();
        }
    }

    @Override
    public void close() {
        client.send(Frontend.terminate()).push().close();
    }
}
