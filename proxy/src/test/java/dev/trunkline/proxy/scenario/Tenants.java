package dev.trunkline.proxy.scenario;

import dev.trunkline.harness.pg.PgShards;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fresh tenants of which it is known where they live. PostgreSQL itself says which shard a name hashes to. Safe for any
 * thread.
 */
final class Tenants {

    /** Enough for every round of every way. */
    private static final int NAMES = Scenario.rounds(6) == 6 ? 6_000 : 100_000;

    /**
     * A root tenant and a child of it, whose own name hashes to another shard.
     *
     * @param shard where the rows of both belong
     */
    record Family(String parent, String child, int shard) {}

    private final PgShards shards;
    private final Backdoor backdoor;
    private final List<Deque<String>> names = new ArrayList<>();

    Tenants(PgShards shards, Backdoor backdoor) {
        this.shards = shards;
        this.backdoor = backdoor;
        for (int shard = 0; shard < shards.count(); shard++) {
            names.add(new ArrayDeque<>());
        }
        shards.query(
                        0,
                        "SELECT name, " + home("name") + " FROM (SELECT 't' || n FROM generate_series(1, " + NAMES
                                + ") n) AS t (name)")
                .forEach(row ->
                        names.get(Integer.parseInt(String.valueOf(row.get(1)))).add(String.valueOf(row.get(0))));
    }

    private String home(String expression) {
        StringBuilder sql = new StringBuilder("CASE");
        for (int shard = 0; shard < shards.count(); shard++) {
            sql.append(" WHEN satisfies_hash_partition('trunkline_guard.by_text'::regclass, ")
                    .append(shards.count() + ", " + shard + ", " + expression + ") THEN " + shard);
        }
        return sql.append(" END").toString();
    }

    /** A name that nobody has used, which hashes to a shard; it is not stored anywhere. */
    synchronized String hashingTo(int shard) {
        return names.get(shard).remove();
    }

    /** A name that nobody has used, which hashes to another shard than this one; it is not stored anywhere. */
    String hashingElsewhere(int shard) {
        return hashingTo((shard + 1) % shards.count());
    }

    /** Stores a root tenant on every shard, past every proxy. */
    String root(int shard) {
        String name = hashingTo(shard);
        add(name, null);
        return name;
    }

    /** Stores a root tenant and a child on every shard, past every proxy. */
    Family family(int shard) {
        Family family = new Family(hashingTo(shard), hashingElsewhere(shard), shard);
        backdoor.execute("INSERT INTO tenants (id, parent_tenant_id) VALUES ('%1$s', NULL), ('%2$s', '%1$s')"
                .formatted(family.parent, family.child));
        return family;
    }

    /** Stores a tenant on every shard, past every proxy. */
    void add(String name, @Nullable String parent) {
        String value = parent == null ? "NULL" : "'" + parent + "'";
        backdoor.execute("INSERT INTO tenants (id, parent_tenant_id) VALUES ('" + name + "', " + value + ")");
    }
}
