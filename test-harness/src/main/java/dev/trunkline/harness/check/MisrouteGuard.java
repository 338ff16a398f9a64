package dev.trunkline.harness.check;

import dev.trunkline.harness.pg.PgShards;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes each shard itself reject rows that do not belong to it, so that a proxy cannot misroute a write unseen: error
 * 23514, constraint {@code misroute_guard}.
 *
 * <p>PostgreSQL decides by {@code satisfies_hash_partition} on a parent table without partitions; a NULL key belongs to
 * shard 0. What the guard needs lies in the schema {@code trunkline_guard}.
 */
public final class MisrouteGuard {

    private static final String SCHEMA = "trunkline_guard";

    private final PgShards shards;

    public MisrouteGuard(PgShards shards) {
        this.shards = shards;
        shards.executeAll("""
                CREATE SCHEMA trunkline_guard;
                GRANT USAGE ON SCHEMA trunkline_guard TO PUBLIC;
                CREATE TABLE trunkline_guard.by_bigint (k bigint) PARTITION BY HASH (k);
                CREATE TABLE trunkline_guard.by_text (k text) PARTITION BY HASH (k);
                CREATE TABLE trunkline_guard.by_uuid (k uuid) PARTITION BY HASH (k);
                """);
    }

    /**
     * Guards a table whose key is hashed as it is: a CHECK constraint.
     *
     * @param type bigint (also for int2 and int4), varchar or uuid: the data type of the sharding rule
     */
    public void plain(String table, String column, String type) {
        for (int shard = 0; shard < shards.count(); shard++) {
            shards.execute(
                    shard,
                    "ALTER TABLE %s ADD CONSTRAINT misroute_guard CHECK (%s)"
                            .formatted(table, belongs(shard, type, column)));
        }
    }

    /**
     * Guards a table whose key is translated: a trigger that looks the key up on its own shard. A key without a row is
     * rejected too.
     *
     * @param query the lookup query: two columns, the key and what to hash
     */
    public void translated(String table, String column, String type, String query) {
        for (int shard = 0; shard < shards.count(); shard++) {
            shards.execute(shard, trigger(table, column, type, query, shard));
        }
    }

    /** For each shard, how many rows of a table lie on it that belong elsewhere by its lookup table as it is now. */
    public List<Long> strays(String table, String column, String type, String query) {
        List<Long> strays = new ArrayList<>();
        for (int shard = 0; shard < shards.count(); shard++) {
            String sql =
                    "SELECT count(*) FROM %s r LEFT JOIN (%s\n) AS t(k, v) ON t.k::%s = r.%s::%s WHERE t.k IS NULL OR NOT %s"
                            .formatted(table, query, typed(type), column, typed(type), belongs(shard, type, "t.v"));
            strays.add(Long.valueOf(String.valueOf(shards.queryOne(shard, sql))));
        }
        return strays;
    }

    private String trigger(String table, String column, String type, String query, int shard) {
        String function = SCHEMA + "." + table.replaceAll("\\W", "_") + "_" + column;
        return """
                CREATE FUNCTION %1$s() RETURNS trigger LANGUAGE plpgsql
                SECURITY DEFINER SET search_path = public, pg_temp AS $guard$
                DECLARE
                    translated %4$s;
                BEGIN
                    SELECT t.v INTO translated FROM (%5$s
                    ) AS t(k, v) WHERE t.k::%4$s = NEW.%3$s::%4$s;
                    IF NOT FOUND OR NOT %6$s THEN
                        RAISE EXCEPTION 'row of %2$s with %3$s %% (translated: %%) is not for shard %7$s',
                            NEW.%3$s, translated
                            USING ERRCODE = '23514', CONSTRAINT = 'misroute_guard', TABLE = '%2$s';
                    END IF;
                    RETURN NEW;
                END
                $guard$;
                CREATE TRIGGER misroute_guard BEFORE INSERT OR UPDATE ON %2$s
                FOR EACH ROW EXECUTE FUNCTION %1$s();
                """.formatted(function, table, column, typed(type), query, belongs(shard, type, "translated"), shard);
    }

    private String belongs(int shard, String type, String expression) {
        String parent = "%s.by_%s".formatted(SCHEMA, typed(type));
        return "satisfies_hash_partition('%s'::regclass, %d, %d, (%s)::%s)"
                .formatted(parent, shards.count(), shard, expression, typed(type));
    }

    private static String typed(String type) {
        return switch (type) {
            case "bigint", "uuid" -> type;
            case "varchar" -> "text";
            default -> throw new IllegalArgumentException(type);
        };
    }
}
