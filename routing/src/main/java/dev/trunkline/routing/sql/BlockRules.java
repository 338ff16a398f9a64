package dev.trunkline.routing.sql;

/**
 * Which utility statements PostgreSQL refuses inside a transaction block (25001), as far as the words tell. When they do
 * not tell, as with subscriptions, the statement counts as refused: it then runs outside a block, which is always
 * possible.
 */
final class BlockRules {

    private BlockRules() {}

    static boolean isRefusedInBlock(TokenCursor cursor, Definition definition) {
        return switch (definition.verb()) {
            case VACUUM -> true;
            case CREATE, DROP -> isRefusedObject(definition.object()) || holdsConcurrently(cursor);
            case ALTER -> isRefusedAlter(cursor, definition.object());
            case REINDEX -> isWholeReindex(definition.object()) || holdsConcurrently(cursor);
            case CLUSTER -> definition.targets().isEmpty();
            default -> false;
        };
    }

    private static boolean isRefusedObject(Keyword object) {
        return object == Keyword.DATABASE || object == Keyword.TABLESPACE || object == Keyword.SUBSCRIPTION;
    }

    private static boolean isRefusedAlter(TokenCursor cursor, Keyword object) {
        return switch (object) {
            case SYSTEM, SUBSCRIPTION -> true;
            case DATABASE -> holds(cursor, Keyword.TABLESPACE);
            case TABLE ->
                holds(cursor, Keyword.DETACH)
                        && (holds(cursor, Keyword.CONCURRENTLY) || holds(cursor, Keyword.FINALIZE));
            default -> false;
        };
    }

    private static boolean isWholeReindex(Keyword object) {
        return object == Keyword.SCHEMA || object == Keyword.DATABASE || object == Keyword.SYSTEM;
    }

    /** Also among the options of REINDEX (CONCURRENTLY), hence within parentheses. */
    private static boolean holdsConcurrently(TokenCursor cursor) {
        Tokens tokens = cursor.tokens();
        int limit = Math.min(cursor.end(), cursor.first() + 8);
        for (int i = cursor.first(); i < limit; i++) {
            if (tokens.is(i, Keyword.CONCURRENTLY)) {
                return true;
            }
        }
        return false;
    }

    private static boolean holds(TokenCursor cursor, Keyword keyword) {
        cursor.moveTo(cursor.first());
        return cursor.holds(keyword);
    }
}
