package dev.trunkline.routing.sql;

import org.jspecify.annotations.Nullable;

/**
 * A statement that the engine itself acts on.
 *
 * @param command null for kinds that have none
 * @param inner the statement within it, or null
 */
record Recognized(
        StatementKind kind,
        @Nullable Command command,
        @Nullable InnerStatement inner) {

    /** A statement whose syntax PostgreSQL would refuse. */
    static final Recognized UNKNOWN = new Recognized(StatementKind.UNKNOWN, null, null);

    static Recognized of(StatementKind kind, @Nullable Command command) {
        return new Recognized(kind, command, null);
    }

    /** This if the cursor has read the whole statement, else UNKNOWN. */
    Recognized ifAtEnd(TokenCursor cursor) {
        return cursor.atEnd() ? this : UNKNOWN;
    }
}
