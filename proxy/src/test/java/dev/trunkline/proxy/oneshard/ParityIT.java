package dev.trunkline.proxy.oneshard;

import static dev.trunkline.harness.wire.Frontend.closePortal;
import static dev.trunkline.harness.wire.Frontend.closeStatement;
import static dev.trunkline.harness.wire.Frontend.copyData;
import static dev.trunkline.harness.wire.Frontend.copyDone;
import static dev.trunkline.harness.wire.Frontend.copyFail;
import static dev.trunkline.harness.wire.Frontend.describePortal;
import static dev.trunkline.harness.wire.Frontend.describeStatement;
import static dev.trunkline.harness.wire.Frontend.execute;
import static dev.trunkline.harness.wire.Frontend.flush;
import static dev.trunkline.harness.wire.Frontend.parse;
import static dev.trunkline.harness.wire.Frontend.query;
import static dev.trunkline.harness.wire.Frontend.sync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.Notation;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same messages, sent at once, get the same answers from the proxy as from the server itself: every message, in
 * order, errors by severity, code and text. Each exchange meets both modes, and a proxy whose one server connection has
 * just served somebody else.
 */
@Shards(1)
@WithProxy
class ParityIT {

    private static final String TABLE = "CREATE TABLE t (a int PRIMARY KEY, b text)";

    private final PgShards shards;
    private final TestProxy proxy;

    ParityIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
    }

    /** An exchange by name. */
    record Exchange(String name, List<Frame> frames) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Exchange exchange(String name, Frame... frames) {
        return new Exchange(name, List.of(frames));
    }

    private static Frame bind(String portal, String statement, @Nullable Object... values) {
        return Frontend.bind(portal, statement, values);
    }

    private static Frame[] run(String sql, @Nullable Object... values) {
        return new Frame[] {parse("", sql), bind("", "", values), describePortal(""), execute("", 0)};
    }

    private static Exchange pipeline(String name, Object... parts) {
        List<Frame> frames = new ArrayList<>();
        for (Object part : parts) {
            if (part instanceof Frame frame) {
                frames.add(frame);
            } else {
                frames.addAll(Arrays.asList((Frame[]) part));
            }
        }
        return new Exchange(name, frames);
    }

    static Stream<Exchange> simple() {
        return Stream.of(
                exchange("one statement", query("SELECT 1 AS a, 'x' AS b, NULL AS c")),
                exchange("no rows", query("SELECT 1 WHERE false")),
                exchange("empty query", query("")),
                exchange("comment only", query("/* nothing */ -- here\n")),
                exchange("semicolons only", query(";;")),
                exchange("several statements", query("SELECT 1; SELECT 'two'; INSERT INTO t VALUES (1, 'a')")),
                exchange(
                        "an error undoes what stands before it in the string",
                        query("INSERT INTO t VALUES (1, 'a'); SELECT 1/0; SELECT 2"),
                        query("SELECT count(*) FROM t")),
                exchange("syntax error", query("SELEC 1"), query("SELECT 1")),
                exchange("pipelined queries", query("SELECT 1"), query("SELECT 1/0"), query("SELECT 2"), query("")),
                exchange("block", query("BEGIN"), query("INSERT INTO t VALUES (1)"), query("COMMIT"), query("TABLE t")),
                exchange(
                        "rolled back block",
                        query("BEGIN"),
                        query("INSERT INTO t VALUES (1)"),
                        query("ROLLBACK"),
                        query("TABLE t")),
                exchange(
                        "failed block",
                        query("BEGIN"),
                        query("SELECT 1/0"),
                        query("SELECT 1"),
                        query("COMMIT"),
                        query("SELECT 2")),
                exchange(
                        "savepoints",
                        query("BEGIN"),
                        query("SAVEPOINT s"),
                        query("INSERT INTO t VALUES (1)"),
                        query("SELECT 1/0"),
                        query("ROLLBACK TO s"),
                        query("INSERT INTO t VALUES (2)"),
                        query("RELEASE s"),
                        query("COMMIT"),
                        query("TABLE t")),
                exchange("chain", query("BEGIN"), query("COMMIT AND CHAIN"), query("SELECT 1"), query("ROLLBACK")),
                exchange("warnings", query("COMMIT"), query("BEGIN; BEGIN"), query("ROLLBACK"), query("ROLLBACK")),
                exchange("notices", query("DO $$ BEGIN RAISE NOTICE 'one'; RAISE NOTICE 'two'; END $$")),
                exchange("cursor", query("BEGIN; DECLARE c CURSOR FOR SELECT 1; FETCH ALL c; COMMIT")),
                exchange("binary cursor", query("BEGIN; DECLARE c BINARY CURSOR FOR SELECT 1; FETCH c; COMMIT")),
                exchange(
                        "a block in one string",
                        query("BEGIN; INSERT INTO t VALUES (1); COMMIT; SELECT 1/0"),
                        query("TABLE t")),
                exchange(
                        "control outside of a block",
                        query("SAVEPOINT s"),
                        query("ROLLBACK TO s"),
                        query("SET LOCAL work_mem = '1MB'")),
                exchange(
                        "what cannot run in a block",
                        query("BEGIN"),
                        query("VACUUM t"),
                        query("ROLLBACK"),
                        query("VACUUM t")));
    }

    static Stream<Exchange> extended() {
        return Stream.of(
                pipeline("one statement", run("SELECT $1::int + 1", 41), sync()),
                pipeline(
                        "several before one Sync",
                        run("SELECT 1"),
                        run("SELECT 2"),
                        run("SELECT $1::text", "x"),
                        sync()),
                pipeline("several Syncs", sync(), sync(), run("SELECT 1"), sync(), sync(), run("SELECT 2"), sync()),
                pipeline("Flush without Sync", run("SELECT 1"), flush(), run("SELECT 2"), flush(), sync()),
                pipeline("Flush first", flush(), flush(), sync()),
                pipeline("empty query", run(""), sync(), run("-- c"), sync()),
                pipeline(
                        "an error skips to Sync and undoes what came before",
                        run("INSERT INTO t VALUES (1, 'a')"),
                        run("SELECT 1/$1::int", 0),
                        run("INSERT INTO t VALUES (2, 'b')"),
                        sync(),
                        run("SELECT a FROM t"),
                        sync()),
                pipeline(
                        "error in Parse",
                        parse("", "SELEC 1"),
                        bind("", ""),
                        execute("", 0),
                        sync(),
                        query("SELECT 1")),
                pipeline("error in Bind", parse("", "SELECT $1::int"), bind("", "", "x"), execute("", 0), sync()),
                pipeline(
                        "wrong number of values",
                        parse("s", "SELECT $1::int"),
                        sync(),
                        bind("", "s"),
                        execute("", 0),
                        sync()),
                pipeline(
                        "several commands in one statement",
                        parse("", "SELECT 1; SELECT 2"),
                        sync(),
                        run("SELECT 3"),
                        sync()),
                pipeline(
                        "a Query behind a failed Execute is skipped too",
                        run("SELECT 1/0"),
                        query("SELECT 'skipped'"),
                        sync(),
                        query("SELECT 'seen'")),
                pipeline(
                        "a Query before the Sync ends the batch",
                        run("INSERT INTO t VALUES (1)"),
                        query("SELECT 2"),
                        sync(),
                        query("TABLE t")),
                pipeline(
                        "a failing Query before the Sync",
                        run("INSERT INTO t VALUES (1)"),
                        query("SELECT 1/0"),
                        sync(),
                        query("TABLE t")),
                pipeline(
                        "unknown statement undoes what came before",
                        run("INSERT INTO t VALUES (1)"),
                        bind("", "nowhere"),
                        execute("", 0),
                        run("INSERT INTO t VALUES (2)"),
                        sync(),
                        query("TABLE t")),
                pipeline(
                        "unknown statement alone",
                        bind("", "nowhere"),
                        sync(),
                        describeStatement("nowhere"),
                        sync(),
                        query("SELECT 1")),
                pipeline(
                        "unknown statement fails the block",
                        query("BEGIN"),
                        query("INSERT INTO t VALUES (1)"),
                        bind("", "nowhere"),
                        sync(),
                        query("SELECT 1"),
                        query("COMMIT"),
                        query("TABLE t")),
                pipeline(
                        "a Query behind an unknown statement is skipped",
                        bind("", "nowhere"),
                        query("SELECT 'skipped'"),
                        sync(),
                        query("SELECT 'seen'")),
                pipeline(
                        "an unknown statement behind another error",
                        run("SELECT 1/0"),
                        bind("", "nowhere"),
                        sync(),
                        query("SELECT 1")),
                pipeline(
                        "unknown portal",
                        execute("nowhere", 0),
                        sync(),
                        describePortal("nowhere"),
                        sync(),
                        query("SELECT 1")),
                pipeline(
                        "a name taken",
                        parse("s", "SELECT 1"),
                        parse("s", "SELECT 2"),
                        sync(),
                        bind("", "s"),
                        execute("", 0),
                        sync()),
                pipeline(
                        "a name taken undoes what came before",
                        parse("s", "SELECT 1"),
                        sync(),
                        run("INSERT INTO t VALUES (1)"),
                        parse("s", "SELECT 2"),
                        sync(),
                        query("TABLE t")),
                pipeline(
                        "a name taken again after Close",
                        parse("s", "SELECT 1"),
                        closeStatement("s"),
                        parse("s", "SELECT 2"),
                        bind("", "s"),
                        execute("", 0),
                        sync()),
                pipeline(
                        "Close of what is not there",
                        closeStatement("x"),
                        closePortal("x"),
                        closeStatement(""),
                        closePortal(""),
                        sync()),
                pipeline(
                        "Close keeps the other namespace",
                        parse("x", "SELECT 1"),
                        bind("x", "x"),
                        closePortal("x"),
                        bind("x", "x"),
                        execute("x", 0),
                        sync()),
                pipeline(
                        "Close of a skipped batch does not count",
                        parse("s", "SELECT 7"),
                        sync(),
                        run("SELECT 1/0"),
                        closeStatement("s"),
                        sync(),
                        bind("", "s"),
                        execute("", 0),
                        sync()),
                pipeline(
                        "a failed Parse makes no statement",
                        parse("s", "SELECT nowhere"),
                        sync(),
                        bind("", "s"),
                        sync(),
                        parse("s", "SELECT 1"),
                        sync()),
                pipeline(
                        "a skipped Parse makes no statement",
                        run("SELECT 1/0"),
                        parse("s", "SELECT 1"),
                        sync(),
                        bind("", "s"),
                        sync(),
                        parse("s", "SELECT 1"),
                        sync()),
                pipeline(
                        "Describe of both",
                        parse("s", "SELECT $1::int AS a, $2::text AS b"),
                        describeStatement("s"),
                        bind("p", "s", 1, "x"),
                        describePortal("p"),
                        execute("p", 0),
                        sync()),
                pipeline(
                        "Describe of what gives no rows",
                        parse("s", "INSERT INTO t VALUES ($1, $2)"),
                        describeStatement("s"),
                        bind("", "s", 1, "x"),
                        describePortal(""),
                        execute("", 0),
                        sync()),
                pipeline(
                        "Describe in a batch of its own",
                        parse("s", "SELECT $1::int"),
                        describeStatement("s"),
                        sync(),
                        bind("", "s", 1),
                        execute("", 0),
                        sync()),
                pipeline("Describe at the end of the batch", run("SELECT 1"), describeStatement(""), sync()),
                pipeline(
                        "the unnamed statement lives on",
                        parse("", "SELECT $1::int"),
                        sync(),
                        bind("", "", 1),
                        execute("", 0),
                        sync(),
                        bind("", "", 2),
                        execute("", 0),
                        sync()),
                pipeline(
                        "a Query ends the unnamed statement",
                        parse("", "SELECT 1"),
                        sync(),
                        query("SELECT 2"),
                        bind("", ""),
                        execute("", 0),
                        sync()),
                pipeline(
                        "portal with row limit in a block",
                        query("BEGIN"),
                        parse("", "SELECT * FROM generate_series(1, 5)"),
                        bind("c", ""),
                        execute("c", 2),
                        sync(),
                        execute("c", 2),
                        sync(),
                        execute("c", 2),
                        execute("c", 2),
                        sync(),
                        query("COMMIT"),
                        execute("c", 2),
                        sync()),
                pipeline(
                        "row limit outside of a block",
                        parse("", "SELECT * FROM generate_series(1, 5)"),
                        bind("c", ""),
                        execute("c", 2),
                        execute("c", 2),
                        sync(),
                        execute("c", 2),
                        sync()),
                pipeline(
                        "portals side by side",
                        query("BEGIN"),
                        parse("s", "SELECT * FROM generate_series($1::int, $1::int + 2)"),
                        bind("a", "s", 10),
                        bind("b", "s", 20),
                        execute("a", 1),
                        execute("b", 1),
                        execute("a", 0),
                        execute("b", 0),
                        sync(),
                        query("COMMIT")),
                pipeline(
                        "a portal name taken",
                        query("BEGIN"),
                        parse("", "SELECT 1"),
                        bind("c", ""),
                        bind("c", ""),
                        sync(),
                        query("ROLLBACK")),
                pipeline(
                        "a cursor by Execute",
                        query("BEGIN; DECLARE c CURSOR FOR SELECT * FROM generate_series(1, 3)"),
                        execute("c", 2),
                        sync(),
                        describePortal("c"),
                        sync(),
                        query("COMMIT")),
                pipeline(
                        "block by extended protocol",
                        run("BEGIN"),
                        sync(),
                        run("INSERT INTO t VALUES (1)"),
                        sync(),
                        run("SELECT 1/0"),
                        sync(),
                        run("SELECT 1"),
                        sync(),
                        run("ROLLBACK"),
                        sync(),
                        query("TABLE t")),
                pipeline(
                        "block within a batch",
                        run("BEGIN"),
                        run("INSERT INTO t VALUES (1)"),
                        run("COMMIT"),
                        run("SELECT 1/0"),
                        sync(),
                        query("TABLE t")),
                pipeline(
                        "binary values and results",
                        parse("", "SELECT $1::int8, $2::bytea", 20, 17),
                        Frontend.bind(
                                "", "", new Object[] {new byte[] {0, 0, 0, 0, 0, 0, 0, 9}, new byte[] {1, 0, 2}}, 1),
                        execute("", 0),
                        sync()),
                pipeline(
                        "a format for each column",
                        parse("", "SELECT 1, 2"),
                        Frontend.bind("", "", new Object[0], 0, 1),
                        execute("", 0),
                        sync()),
                pipeline(
                        "too many formats",
                        parse("", "SELECT 1, 2"),
                        Frontend.bind("", "", new Object[0], 0, 1, 1),
                        execute("", 0),
                        sync()),
                pipeline(
                        "the same text with other types",
                        parse("a", "SELECT $1", 23),
                        parse("b", "SELECT $1", 25),
                        describeStatement("a"),
                        describeStatement("b"),
                        bind("", "a", "7"),
                        execute("", 0),
                        bind("", "b", "7"),
                        execute("", 0),
                        sync()),
                pipeline(
                        "a long name",
                        parse("n".repeat(200), "SELECT 1"),
                        bind("", "n".repeat(200)),
                        execute("", 0),
                        sync()));
    }

    static Stream<Exchange> copy() {
        return Stream.of(
                exchange("COPY out", query("COPY (SELECT 1, 'x' UNION ALL SELECT 2, NULL) TO STDOUT")),
                exchange("COPY out of nothing", query("COPY t TO STDOUT; SELECT 1")),
                exchange(
                        "COPY out fails half-way",
                        query("COPY (SELECT 1 / (3 - n) FROM generate_series(1, 5) n) TO STDOUT"),
                        query("SELECT 1")),
                exchange(
                        "COPY in",
                        query("COPY t FROM STDIN"),
                        copyData("1\tx\n2"),
                        copyData("\ty\n"),
                        copyDone(),
                        query("TABLE t")),
                exchange("COPY in of nothing", query("COPY t FROM STDIN"), copyDone(), query("TABLE t")),
                exchange(
                        "COPY in given up",
                        query("COPY t FROM STDIN"),
                        copyData("1\tx\n"),
                        copyFail("enough"),
                        query("TABLE t")),
                exchange(
                        "COPY in fails at the end",
                        query("COPY t FROM STDIN"),
                        copyData("1\tx\n1\ty\n"),
                        copyDone(),
                        query("TABLE t")),
                exchange(
                        "COPY in that never begins",
                        query("COPY nowhere FROM STDIN"),
                        copyData("1\tx\n"),
                        copyDone(),
                        query("SELECT 1")),
                exchange(
                        "Flush and Sync within COPY",
                        query("COPY t FROM STDIN"),
                        copyData("1\tx\n"),
                        flush(),
                        sync(),
                        copyData("2\ty\n"),
                        sync(),
                        copyDone(),
                        query("TABLE t")),
                exchange(
                        "COPY in a string",
                        query("COPY t FROM STDIN; SELECT 1; COPY t TO STDOUT"),
                        copyData("1\tx\n"),
                        copyDone(),
                        query("SELECT 2")),
                exchange(
                        "two COPYs in a string",
                        query("COPY t FROM STDIN; COPY t FROM STDIN"),
                        copyData("1\tx\n"),
                        copyDone(),
                        copyData("2\tx\n"),
                        copyDone(),
                        query("TABLE t")),
                exchange(
                        "COPY in a block",
                        query("BEGIN"),
                        query("COPY t FROM STDIN"),
                        copyData("1\tx\n"),
                        copyDone(),
                        query("ROLLBACK"),
                        query("TABLE t")),
                pipeline(
                        "extended COPY in",
                        run("COPY t FROM STDIN"),
                        copyData("1\tx\n"),
                        copyDone(),
                        sync(),
                        query("TABLE t")),
                pipeline(
                        "extended COPY in with early Syncs",
                        run("COPY t FROM STDIN"),
                        sync(),
                        sync(),
                        copyData("1\tx\n"),
                        sync(),
                        copyDone(),
                        sync(),
                        query("TABLE t")),
                pipeline(
                        "extended COPY in given up",
                        run("COPY t FROM STDIN"),
                        copyData("1\tx\n"),
                        copyFail("enough"),
                        sync(),
                        query("TABLE t")),
                pipeline(
                        "extended COPY in fails",
                        run("COPY t FROM STDIN"),
                        copyData("x\tx\n"),
                        copyDone(),
                        sync(),
                        query("TABLE t")),
                pipeline(
                        "extended COPY out",
                        run("COPY (SELECT 1) TO STDOUT"),
                        sync(),
                        run("COPY (SELECT 1/0) TO STDOUT"),
                        sync(),
                        query("SELECT 1")),
                pipeline(
                        "COPY in the middle of a batch",
                        run("INSERT INTO t VALUES (9)"),
                        run("COPY t FROM STDIN"),
                        copyData("1\tx\n"),
                        copyDone(),
                        run("SELECT 5"),
                        sync(),
                        query("TABLE t")),
                exchange(
                        "stray COPY messages",
                        copyData("x"),
                        copyDone(),
                        copyFail("x"),
                        query("SELECT 1"),
                        copyData("x")));
    }

    @ParameterizedTest
    @MethodSource({"simple", "extended", "copy"})
    void answersAsTheServerDoes(Exchange exchange) {
        shards.execute(0, "DROP TABLE IF EXISTS t; " + TABLE + "; GRANT ALL ON t TO PUBLIC");
        List<String> expected;
        try (WireClient direct = WireClient.login("127.0.0.1", shards.port(0), PgShards.APP, shards.database())) {
            expected = answers(direct, exchange, shards);
        }
        shards.execute(0, "DROP TABLE IF EXISTS t; " + TABLE + "; GRANT ALL ON t TO PUBLIC");
        try (WireClient other = proxy.login();
                WireClient client = proxy.login()) {
            other.extended("SELECT 'somebody else'").ok();
            assertThat(answers(client, exchange, shards)).containsExactlyElementsOf(expected);
            // The connection serves others on, and what the exchange did is over.
            assertThat(other.extended("SELECT 'somebody else'").value()).isEqualTo("somebody else");
        }
    }

    /** Sends everything at once; what comes back up to a marker, with what only the server itself can know left out. */
    private static List<String> answers(WireClient client, Exchange exchange, PgShards shards) {
        exchange.frames().forEach(client::send);
        client.sync().query("ROLLBACK").query("SELECT 'the end'");
        List<String> answers = new ArrayList<>();
        for (Frame frame = client.read(); !frame.toString().equals("D the end"); frame = client.read()) {
            answers.add(comparable(frame));
        }
        client.expect("C SELECT 1", "Z I");
        return answers;
    }

    private static String comparable(Frame frame) {
        if (frame.type() == 'E' || frame.type() == 'N') {
            Map<Character, String> fields = Notation.fields(frame);
            return frame.type() + " " + fields.get('S') + " " + fields.get('C') + " "
                    + String.valueOf(fields.get('M')).replaceAll("\"trunkline_\\d+\"", "\"s\"");
        }
        return frame.toString();
    }
}
