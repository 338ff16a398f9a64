package dev.trunkline.lookup.source;

import dev.trunkline.routing.key.KeyType;

/**
 * The SQL around a lookup query. Every wrapper ends the query with a new line, so that a comment at its end swallows
 * nothing; functions and types are named with their schema, so that no search path can replace them.
 */
final class QueryText {

    /** The lowest identifier of an object that did not come with the server. */
    private static final int FIRST_NORMAL_OBJECT_ID = 16_384;

    private QueryText() {}

    /** Both columns of every row as text. */
    static String load(String query) {
        return "SELECT t.k::pg_catalog.text, t.v::pg_catalog.text FROM (\n" + query + "\n) AS t(k, v)";
    }

    /** Both columns of the rows of the keys in the array $1. */
    static String probe(String query, KeyType type) {
        return load(query) + " WHERE t.k = ANY($1::pg_catalog." + typeName(type) + "[])";
    }

    /** No row, but as many columns as the query has. */
    static String columns(String query) {
        return "SELECT * FROM (\n" + query + "\n) AS t LIMIT 0";
    }

    /**
     * One row: the name of the key column's type, whether its collation is deterministic (null: it has none), and the
     * schemas of the search path that exist.
     */
    static String keyColumn(String query) {
        return """
                SELECT pg_catalog.pg_typeof(q.k)::pg_catalog.text,
                       CASE WHEN pg_catalog.pg_typeof(q.k)::pg_catalog.text IN ('text', 'character varying') THEN
                           (SELECT c.collisdeterministic FROM pg_catalog.pg_collation c
                            WHERE c.oid = pg_catalog.pg_collation_for(q.k)::pg_catalog.regcollation) END,
                       pg_catalog.current_schemas(false)::pg_catalog.text[]
                FROM (SELECT 1) AS one LEFT JOIN (SELECT t.k FROM (
                """ + query + "\n) AS t(k, v) LIMIT 0) AS q ON true";
    }

    /** The relations that the transaction has locked, which after {@link #noRow} are those behind the query. */
    static String relations() {
        return """
                SELECT n.nspname::pg_catalog.text, c.relname::pg_catalog.text
                FROM pg_catalog.pg_locks l
                JOIN pg_catalog.pg_class c ON c.oid = l.relation
                JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                WHERE l.pid = pg_catalog.pg_backend_pid() AND l.locktype = 'relation'
                  AND l.database = (SELECT oid FROM pg_catalog.pg_database
                                    WHERE datname = pg_catalog.current_database())
                  AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
                  AND n.nspname NOT IN ('pg_catalog', 'information_schema')
                """;
    }

    /** Has the server report the tree of each statement of this transaction as a notice. */
    static final String REPORT_TREES = """
            SET LOCAL client_min_messages TO log;
            SET LOCAL debug_pretty_print TO off;
            SET LOCAL debug_print_parse TO off;
            SET LOCAL debug_print_rewritten TO on""";

    /** Ends {@link #REPORT_TREES}. */
    static final String REPORT_NO_TREES = "SET LOCAL debug_print_rewritten TO off";

    /** No row, but everything that {@link #load} computes. */
    static String noRow(String query) {
        return load(query) + " LIMIT 0";
    }

    /**
     * The names of those functions that are not immutable, also of what an aggregate is made of, or did not come with
     * the server. Parameters: functions, operators, types made from text, types made a text; all by identifiers.
     */
    static String notImmutable() {
        return """
                SELECT DISTINCT CASE n.nspname WHEN 'pg_catalog' THEN '' ELSE n.nspname || '.' END || p.proname AS name
                FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
                WHERE p.oid::pg_catalog.int8 IN (
                        SELECT pg_catalog.unnest($1::pg_catalog.int8[])
                        UNION ALL SELECT o.oprcode::pg_catalog.oid::pg_catalog.int8 FROM pg_catalog.pg_operator o
                            WHERE o.oid::pg_catalog.int8 = ANY ($2)
                        UNION ALL SELECT t.typinput::pg_catalog.oid::pg_catalog.int8 FROM pg_catalog.pg_type t
                            WHERE t.oid::pg_catalog.int8 = ANY ($3)
                        UNION ALL SELECT t.typoutput::pg_catalog.oid::pg_catalog.int8 FROM pg_catalog.pg_type t
                            WHERE t.oid::pg_catalog.int8 = ANY ($4))
                    AND (p.provolatile <> 'i' OR p.oid::pg_catalog.int8 >= %d OR EXISTS (
                        SELECT FROM pg_catalog.pg_aggregate a JOIN pg_catalog.pg_proc f ON f.oid IN (
                            a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn, a.aggdeserialfn,
                            a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn)
                        WHERE a.aggfnoid = p.oid AND f.provolatile <> 'i'))
                ORDER BY name
                """.formatted(FIRST_NORMAL_OBJECT_ID);
    }

    private static String typeName(KeyType type) {
        return switch (type) {
            case BIGINT -> "int8";
            case UUID -> "uuid";
            case VARCHAR -> "text";
        };
    }
}
