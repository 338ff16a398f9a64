package dev.trunkline.routing.sql;

/** A statement of a form that is not analysed; the message says which, in words for the client. */
public final class UnreadableSqlException extends RuntimeException {

    UnreadableSqlException(String message) {
        super(message, null, false, false);
    }

    UnreadableSqlException(String message, Throwable cause) {
        super(message, cause, false, false);
    }
}
