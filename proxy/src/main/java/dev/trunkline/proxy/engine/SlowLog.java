package dev.trunkline.proxy.engine;

import dev.trunkline.routing.Statement;
import dev.trunkline.routing.sql.ShapeText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log of requests that took long: with the shape of the statement, for its values are nobody's business. */
final class SlowLog {

    private static final Logger LOG = LoggerFactory.getLogger("dev.trunkline.slow");

    /** Shapes may be as long as statements. */
    private static final int MAX_LENGTH = 2_000;

    private SlowLog() {}

    /**
     * Writes a line.
     *
     * @param statement what the client has asked last: of a pipeline, the end; null if there was none
     */
    static void write(SessionPlace place, int processId, @Nullable Statement statement, long nanos) {
        if (LOG.isWarnEnabled()) {
            LOG.warn(
                    "{} ms, database {}, user {}, client {}: {}",
                    nanos / 1_000_000,
                    place.database().name(),
                    place.user(),
                    processId,
                    statement == null ? "(no statement)" : shape(statement));
        }
    }

    private static String shape(Statement statement) {
        String text = ShapeText.of(statement.text(), statement.start(), statement.end());
        return text.length() <= MAX_LENGTH
                ? text
                : text.substring(0, text.offsetByCodePoints(0, text.codePointCount(0, MAX_LENGTH) - 1)) + "...";
    }
}
