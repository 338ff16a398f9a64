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

import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The exchanges that drivers have: each legal as it stands, and together with every frontend message in use. */
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

    private static Exchange after(String name, Frame... frames) {
        return new Exchange(name, false, List.of(frames));
    }

    private static Frame values(String portal, String statement, @Nullable Object... values) {
        return bind(portal, statement, values);
    }
}
