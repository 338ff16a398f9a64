package dev.trunkline.routing.sql;

import java.util.List;

/**
 * What a DDL or utility statement works on.
 *
 * @param verb the statement's first word: CREATE, ALTER, DROP, TRUNCATE, LOCK, COPY, ANALYZE, …
 * @param object the kind of object that the words of the statement name: TABLE, INDEX, VIEW, MATERIALIZED (view),
 *     SEQUENCE, SCHEMA, FUNCTION, …; {@link Keyword#NONE_OF_THEM} when they name none
 * @param targets the objects: for CREATE INDEX, TRIGGER, RULE, POLICY and for DROP TRIGGER and the like the table; empty
 *     when the statement names none (VACUUM) or names it in a way that is not read here (GRANT ON ALL TABLES)
 * @param temporary CREATE TEMPORARY, or in schema pg_temp
 * @param cascade CASCADE
 */
public record Definition(Keyword verb, Keyword object, List<ObjectName> targets, boolean temporary, boolean cascade) {

    /** Of a statement that is neither DDL nor a utility. */
    public static final Definition NONE =
            new Definition(Keyword.NONE_OF_THEM, Keyword.NONE_OF_THEM, List.of(), false, false);

    /** Copies the list. */
    public Definition {
        targets = List.copyOf(targets);
    }
}
