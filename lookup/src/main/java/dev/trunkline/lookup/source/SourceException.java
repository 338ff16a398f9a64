package dev.trunkline.lookup.source;

import org.jspecify.annotations.Nullable;

/** A read that failed for a reason that does not lie in the rows. The message may be logged and shown to clients. */
public final class SourceException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** What is to be done about it. */
    public enum Kind {
        /** No connection, or it broke. */
        UNREACHABLE,
        /** The server did not answer in time, or somebody locks the table: to be tried again. */
        BUSY,
        /** The server refuses the query. */
        REFUSED,
        /** A probe would not mean the same as a reload: reload. */
        NOT_PROBEABLE
    }

    private final Kind kind;

    /** A failure of the given kind. */
    public SourceException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause, false, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
