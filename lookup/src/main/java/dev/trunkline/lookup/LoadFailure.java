package dev.trunkline.lookup;

import dev.trunkline.lookup.map.MapFault;
import dev.trunkline.lookup.source.SourceException;
import dev.trunkline.protocol.error.PgException;

/**
 * What a read's failure means.
 *
 * @param error what clients are told
 * @param logText what the log is told: no key value, but hosts
 * @param retry the read was only held up: it is tried again, and nobody is told yet
 * @param faulty the query or its rows are no map
 */
record LoadFailure(PgException error, String logText, boolean retry, boolean faulty) {

    static LoadFailure of(LookupDefinition lookup, Throwable cause) {
        if (cause instanceof MapFault fault) {
            return new LoadFailure(LookupErrors.badRows(lookup, fault), text(fault), false, true);
        }
        if (cause instanceof SourceException failure) {
            return ofSource(lookup, failure);
        }
        return new LoadFailure(
                LookupErrors.loadFailed(lookup, "internal error").withCause(cause), cause.toString(), false, false);
    }

    private static LoadFailure ofSource(LookupDefinition lookup, SourceException failure) {
        return switch (failure.kind()) {
            case UNREACHABLE -> new LoadFailure(LookupErrors.noServer(lookup), withCause(failure), false, false);
            case BUSY, NOT_PROBEABLE ->
                new LoadFailure(LookupErrors.loadFailed(lookup, text(failure)), text(failure), true, false);
            case REFUSED -> new LoadFailure(LookupErrors.loadFailed(lookup, text(failure)), text(failure), false, true);
        };
    }

    private static String withCause(SourceException failure) {
        Throwable cause = failure.getCause();
        return cause == null ? text(failure) : text(failure) + ": " + cause.getMessage();
    }

    private static String text(Throwable failure) {
        return String.valueOf(failure.getMessage());
    }
}
