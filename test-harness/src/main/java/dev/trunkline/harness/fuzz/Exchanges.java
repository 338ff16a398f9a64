package dev.trunkline.harness.fuzz;

import static dev.trunkline.harness.wire.Frontend.bind;
import static dev.trunkline.harness.wire.Frontend.cancelRequest;
import static dev.trunkline.harness.wire.Frontend.closePortal;
import static dev.trunkline.harness.wire.Frontend.closeStatement;
import static dev.trunkline.harness.wire.Frontend.copyData;
import static dev.trunkline.harness.wire.Frontend.copyDone;
import static dev.trunkline.harness.wire.Frontend.copyFail;
import static dev.trunkline.harness.wire.Frontend.describePortal;
import static dev.trunkline.harness.wire.Frontend.describeStatement;
import static dev.trunkline.harness.wire.Frontend.execute;
import static dev.trunkline.harness.wire.Frontend.flush;
import static dev.trunkline.harness.wire.Frontend.gssEncRequest;
import static dev.trunkline.harness.wire.Frontend.parse;
import static dev.trunkline.harness.wire.Frontend.query;
import static dev.trunkline.harness.wire.Frontend.sslRequest;
import static dev.trunkline.harness.wire.Frontend.startup;
import static dev.trunkline.harness.wire.Frontend.sync;
import static dev.trunkline.harness.wire.Frontend.terminate;

import dev.trunkline.harness.wire.Backend;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges that drivers have, and what servers answer: each legal as it stands, and together with every message in
 * use.
 */
public final class Exchanges {

    private static final int INT4 = 23;
    private static final int TEXT = 25;
    private static final int PROTOCOL_3_2 = 3 << 16 | 2;

    private Exchanges() {}

    /** Ways to open a connection for the given user, who is trusted. */
    public static List<Exchange> opening(String user, String database) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("user", user);
        parameters.put("database", database);
        Frame plain = startup(Frontend.PROTOCOL_3_0, parameters);
        parameters.put("application_name", "é");
        parameters.put("options", "-c statement_timeout=0");
        parameters.put("_pq_.unknown", "1");
        Frame later = startup(PROTOCOL_3_2, parameters);
        return List.of(
                new Exchange("startup", true, List.of(plain, query("SELECT 1"), terminate())),
                new Exchange("startup with options", true, List.of(later, query("SELECT 1"), terminate())),
                new Exchange("TLS asked for", true, List.of(sslRequest(), plain, terminate())),
                new Exchange("GSSAPI and TLS asked for", true, List.of(gssEncRequest(), sslRequest(), plain)),
                new Exchange("cancel", true, List.of(cancelRequest(1, new byte[] {1, 2, 3, 4}))));
    }

    /** What happens after a login, without any table. */
    public static List<Exchange> session() {
        return List.of(
                after("simple", query("SELECT 1"), query("SELECT 'é'; SELECT 2"), query("")),
                after("transaction", query("BEGIN"), query("SELECT 1"), query("ROLLBACK")),
                after("failed transaction", query("BEGIN"), query("SELECT 1/0"), query("SELECT 1"), query("ROLLBACK")),
                after("unnamed", parse("", "SELECT $1::int4", INT4), values("", "", "7"), execute("", 0), sync()),
                after(
                        "named, described, closed",
                        parse("s", "SELECT $1::int4, $2::text", INT4, TEXT),
                        describeStatement("s"),
                        sync(),
                        values("p", "s", new byte[] {0, 0, 0, 42}, null),
                        describePortal("p"),
                        execute("p", 0),
                        closePortal("p"),
                        closeStatement("s"),
                        sync()),
                after(
                        "row limit",
                        query("BEGIN"),
                        parse("", "SELECT * FROM generate_series(1, 10)"),
                        values("c", ""),
                        execute("c", 3),
                        flush(),
                        execute("c", 3),
                        sync(),
                        query("COMMIT")),
                after(
                        "error in a pipeline",
                        parse("", "SELECT 1/$1::int4", INT4),
                        values("", "", "0"),
                        execute("", 0),
                        values("", "", "1"),
                        execute("", 0),
                        sync(),
                        query("SELECT 1")),
                after("COPY out", query("COPY (SELECT 1, 'x') TO STDOUT"), query("SELECT 1")));
    }

    /** COPY into the given table, once to the end and once given up, with rows of its text format. */
    public static List<Exchange> copyIn(String table, String... rows) {
        Frame start = query("COPY " + table + " FROM STDIN");
        Frame first = copyData(String.join("", rows).substring(0, 1));
        Frame rest = copyData(String.join("", rows).substring(1));
        return List.of(
                after("COPY in", start, first, rest, copyDone(), query("SELECT 1")),
                after("COPY in given up", start, first, rest, copyFail("enough"), query("SELECT 1")));
    }

    /** What a server answers to a Query, each answer whole. */
    public static List<Exchange> answersToQuery() {
        Frame description = Backend.rowDescription(List.of("a", "b"));
        Frame row = Backend.dataRow(Arrays.asList("one", null));
        Frame done = Backend.commandComplete("SELECT 2");
        Frame ready = Backend.readyForQuery('I');
        return List.of(
                after("rows", description, row, row, done, ready),
                after("two results", description, row, done, description, row, done, ready),
                after("an error", Backend.error("ERROR", "22012", "division by zero"), ready),
                after("rows and an error", description, row, Backend.error("ERROR", "57014", "no"), ready),
                after("nothing", Backend.empty('I'), ready),
                after(
                        "all that may come at any time",
                        Backend.parameterStatus("TimeZone", "UTC"),
                        notice(),
                        Backend.commandComplete("SET"),
                        Frame.of('A').int32(7).string("channel").string("text").build(),
                        ready),
                after(
                        "COPY out",
                        Frame.of('H').int8(0).int16(1).int16(0).build(),
                        Frame.of('d').bytes(new byte[] {'x', '\n'}).build(),
                        Backend.empty('c'),
                        Backend.commandComplete("COPY 1"),
                        ready),
                after("the end", Backend.error("FATAL", "57P01", "terminating connection")));
    }

    /** What a server answers to Parse, Bind, Describe, Execute, Close and Sync, each answer whole. */
    public static List<Exchange> answersToBatch() {
        Frame parsed = Backend.empty('1');
        Frame bound = Backend.empty('2');
        Frame closed = Backend.empty('3');
        Frame description = Backend.rowDescription(List.of("a"));
        Frame row = Backend.dataRow(List.of("one"));
        Frame done = Backend.commandComplete("SELECT 1");
        Frame ready = Backend.readyForQuery('I');
        Frame error = Backend.error("ERROR", "22012", "division by zero");
        return List.of(
                after("a portal with rows", parsed, bound, description, row, row, done, closed, ready),
                after("a portal without rows", parsed, bound, Backend.empty('n'), done, closed, ready),
                after("a portal suspended", parsed, bound, description, row, Backend.empty('s'), closed, ready),
                after("an error at Parse", error, ready),
                after("an error at Execute", parsed, bound, description, row, error, ready));
    }

    private static Frame notice() {
        return Frame.of('N')
                .int8('S')
                .string("NOTICE")
                .int8('C')
                .string("00000")
                .int8('M')
                .string("hear")
                .int8(0)
                .build();
    }

    private static Exchange after(String name, Frame... frames) {
        return new Exchange(name, false, List.of(frames));
    }

    private static Frame values(String portal, String statement, @Nullable Object... values) {
        return bind(portal, statement, values);
    }
}
