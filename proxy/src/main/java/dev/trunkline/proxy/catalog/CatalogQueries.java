package dev.trunkline.proxy.catalog;

/**
 * The reads of the system catalogs; object identifiers come as int8, since oid is unsigned.
 *
 * @see <a href="https://www.postgresql.org/docs/current/catalogs.html">System Catalogs</a>
 */
final class CatalogQueries {

    /** Schemas named pg_… are the system's: catalogs, TOAST tables and the temporary objects of sessions. */
    private static final String AND_USER_SCHEMA = " AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'";

    /** The lowest identifier of an object that did not come with the server (FirstNormalObjectId). */
    private static final int FIRST_NORMAL_OBJECT_ID = 16_384;

    static final String SERVER_VERSION = "SELECT current_setting('server_version_num')::int4";

    /**
     * A trigger that the server made for a foreign key or a deferrable constraint is internal and names the constraint;
     * one that it cloned for a partition is a user's, whatever tgisinternal says in older versions.
     */
    static final String RELATIONS = """
            SELECT c.oid::int8, n.nspname::text, c.relname::text, c.relkind::text, c.relrowsecurity,
                EXISTS (SELECT FROM pg_trigger t
                        WHERE t.tgrelid = c.oid AND NOT (t.tgisinternal AND t.tgconstraint <> 0))
                OR EXISTS (SELECT FROM pg_rewrite r
                        WHERE r.ev_class = c.oid AND NOT (r.ev_type = '1' AND c.relkind IN ('v', 'm')))
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')""" + AND_USER_SCHEMA;

    /**
     * A domain counts as its base type, with the type modifier that is set nearest to the column.
     *
     * <p>A default is immutable only if that can be proven from its expression tree: nothing but nodes that are known to
     * be, and functions (also those of operators) that are declared so. pg_depend would not do: it does not list
     * functions that come with the server.
     *
     * <p>The text of a volatile default is read where each function that it calls comes with the server or an extension,
     * is written in C, or is immutable: any other may read or write tables, of which one shard has a part. The search path
     * of the read makes every name in it that is not the system's a qualified one.
     */
    static final String COLUMNS =
            """
            WITH RECURSIVE base (domain, type, typmod) AS (
                SELECT oid, typbasetype, typtypmod FROM pg_type WHERE typtype = 'd'
                UNION ALL
                SELECT b.domain, t.typbasetype, CASE b.typmod WHEN -1 THEN t.typtypmod ELSE b.typmod END
                FROM base b JOIN pg_type t ON t.oid = b.type WHERE t.typtype = 'd'
            )
            SELECT a.attrelid::int8, a.attname::text, a.attnum::int4,
                COALESCE(b.type, a.atttypid)::int8,
                CASE a.atttypmod WHEN -1 THEN COALESCE(b.typmod, -1) ELSE a.atttypmod END::int4,
                a.attgenerated <> '', a.attidentity = 'a',
                a.attgenerated = '' AND (a.attidentity <> '' OR e.tree IS NOT NULL),
                a.attgenerated = '' AND (a.attidentity <> ''
                    OR EXISTS (
                        SELECT FROM regexp_matches(e.tree, '\\{([A-Z_]+)', 'g') AS node (name)
                        WHERE node.name[1] <> ALL (
                            '{CONST, FUNCEXPR, OPEXPR, BOOLEXPR, RELABELTYPE, COLLATEEXPR, COERCETODOMAIN, NULLTEST,
                              BOOLEANTEST, COALESCE, COALESCEEXPR, ARRAY, ARRAYEXPR, CASE, CASEEXPR, WHEN, CASEWHEN}'
                            ::text[]))
                    OR EXISTS (
                        SELECT FROM regexp_matches(e.tree, ':(?:funcid|opfuncid) ([0-9]+)', 'g') AS call (id)
                        LEFT JOIN pg_proc p ON p.oid = call.id[1]::oid
                        WHERE p.provolatile IS DISTINCT FROM 'i')),
                COALESCE(l.collisdeterministic, true),
                EXISTS (SELECT FROM pg_index i
                        WHERE i.indrelid = a.attrelid AND i.indisunique AND i.indimmediate AND i.indisvalid
                            AND i.indisready AND i.indpred IS NULL AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum),
                CASE WHEN a.attidentity <> '' THEN (
                    SELECT 'nextval(' || quote_literal(format('%I.%I', sn.nspname, s.relname)) || '::regclass)'
                    FROM pg_depend i JOIN pg_class s ON s.oid = i.objid JOIN pg_namespace sn ON sn.oid = s.relnamespace
                    WHERE i.classid = 'pg_class'::regclass AND i.refclassid = 'pg_class'::regclass
                        AND i.refobjid = a.attrelid AND i.refobjsubid = a.attnum AND i.deptype = 'i'
                        AND s.relkind = 'S')
                WHEN a.attgenerated = '' AND NOT EXISTS (
                        SELECT FROM regexp_matches(e.tree, ':(?:funcid|opfuncid) ([0-9]+)', 'g') AS call (id)
                        LEFT JOIN pg_proc p ON p.oid = call.id[1]::oid
                        LEFT JOIN pg_language pl ON pl.oid = p.prolang
                        WHERE p.oid IS NULL OR p.oid >= """ + FIRST_NORMAL_OBJECT_ID + """
                            AND p.provolatile <> 'i' AND pl.lanname NOT IN ('c', 'internal')
                            AND NOT EXISTS (
                                SELECT FROM pg_depend x
                                WHERE x.classid = 'pg_proc'::regclass AND x.objid = p.oid AND x.deptype = 'e'))
                    THEN CASE WHEN d.adbin IS NULL THEN pg_get_expr(t.typdefaultbin, 0)
                        ELSE pg_get_expr(d.adbin, d.adrelid) END
                END
            FROM pg_attribute a
            JOIN pg_class c ON c.oid = a.attrelid
            JOIN pg_namespace n ON n.oid = c.relnamespace
            JOIN pg_type t ON t.oid = a.atttypid
            LEFT JOIN base b ON b.domain = a.atttypid AND NOT EXISTS (
                SELECT FROM pg_type d WHERE d.oid = b.type AND d.typtype = 'd')
            LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
            LEFT JOIN pg_collation l ON l.oid = a.attcollation
            CROSS JOIN LATERAL (
                SELECT COALESCE(d.adbin::text, CASE t.typtype WHEN 'd' THEN t.typdefaultbin::text END)
            ) AS e (tree)
            WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')""" + AND_USER_SCHEMA + " ORDER BY a.attrelid, a.attnum";

    /**
     * All aggregates are declared immutable; what counts are the functions that they are made of. They have no language
     * of their own, so only an extension can vouch for them.
     */
    static final String FUNCTIONS = """
            SELECT p.oid::int8, n.nspname::text, p.proname::text,
                p.provolatile = 'i' AND NOT EXISTS (
                    SELECT FROM pg_aggregate a JOIN pg_proc f ON f.oid IN (
                        a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn, a.aggdeserialfn,
                        a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn)
                    WHERE a.aggfnoid = p.oid AND f.provolatile <> 'i'),
                (p.prokind <> 'a' AND l.lanname IN ('c', 'internal')) OR EXISTS (
                    SELECT FROM pg_depend d
                    WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
            FROM pg_proc p
            JOIN pg_namespace n ON n.oid = p.pronamespace
            JOIN pg_language l ON l.oid = p.prolang
            WHERE p.oid >= """ + FIRST_NORMAL_OBJECT_ID;

    /** (view, relation that its query names) */
    static final String VIEW_READS = """
            SELECT DISTINCT r.ev_class::int8, d.refobjid::int8
            FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
            WHERE r.ev_type = '1' AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> r.ev_class""";

    /** (view, function that its query calls by name or through an operator) */
    static final String VIEW_CALLS = """
            SELECT DISTINCT r.ev_class::int8, COALESCE(o.oprcode::oid, d.refobjid)::int8
            FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
            LEFT JOIN pg_operator o ON o.oid = d.refobjid AND d.refclassid = 'pg_operator'::regclass
            WHERE r.ev_type = '1' AND d.refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass)""";

    /** (partition or child, parent), for a child of several parents in their order */
    static final String PARENTS = "SELECT inhrelid::int8, inhparent::int8 FROM pg_inherits ORDER BY inhrelid, inhseqno";

    /** (referencing relation, referenced relation, the key has an action that changes rows) */
    static final String FOREIGN_KEYS = """
            SELECT conrelid::int8, confrelid::int8, confdeltype IN ('c', 'n', 'd') OR confupdtype IN ('c', 'n', 'd')
            FROM pg_constraint WHERE contype = 'f'""";

    /** One row as JSON: the columns about the locale differ between versions. */
    static final String DATABASE = """
            SELECT current_setting('server_version_num')::int4, pg_encoding_to_char(d.encoding)::text,
                to_jsonb(d) ->> 'datlocprovider', d.datcollate::text,
                COALESCE(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale')
            FROM pg_database d WHERE d.datname = current_database()""";

    private CatalogQueries() {}
}
