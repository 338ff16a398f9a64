package dev.trunkline.lookup.source;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgNotice;
import java.util.ArrayList;
import java.util.List;

/**
 * Has the server tell the tree of a query, as it is after views have been replaced by what they are. The server writes
 * it to its own log as well.
 *
 * @see <a href="https://www.postgresql.org/docs/current/runtime-config-logging.html">debug_print_rewritten</a>
 */
final class TreeReading {

    /** How the tree of a SELECT begins, in every version and language. */
    private static final String OF_SELECT = "({QUERY :commandType 1 ";

    private final PgConnection connection;
    private final List<String> trees = new ArrayList<>();

    /** A reading on a connection that is in a transaction, whose settings it changes up to the end of it. */
    TreeReading(PgConnection connection) {
        this.connection = connection;
    }

    /**
     * The tree of a SELECT, which is carried out, and of what it calls that is a query itself; empty if the server has
     * not told.
     */
    Future<String> read(String select) {
        connection.noticeHandler(this::heard);
        return connection
                .query(QueryText.REPORT_TREES)
                .execute()
                .compose(reporting -> connection.query(select).execute())
                .compose(done -> connection.query(QueryText.REPORT_NO_TREES).execute())
                .map(silent -> String.join(" ", trees))
                .onComplete(told -> connection.noticeHandler(null));
    }

    private void heard(PgNotice notice) {
        String detail = notice.getDetail();
        if (detail != null && detail.replace('\n', ' ').startsWith(OF_SELECT)) {
            trees.add(detail);
        }
    }
}
