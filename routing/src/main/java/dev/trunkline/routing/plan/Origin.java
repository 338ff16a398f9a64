package dev.trunkline.routing.plan;

import dev.trunkline.routing.shard.ShardingRule;
import java.util.ArrayList;
import java.util.List;

/** Where rows come from when each shard evaluates a query alone. */
sealed interface Origin {

    /** Every shard yields the same rows. */
    enum Replicated implements Origin {
        INSTANCE
    }

    /**
     * Each row comes from one shard, and all shards together yield every row once, provided that what each root
     * answers for lies where the root's row does.
     *
     * @param roots the sharded tables of whose rows each row here holds exactly one; several for UNION ALL
     */
    record Partitioned(List<Root> roots) implements Origin {

        public Partitioned {
            roots = List.copyOf(roots);
        }

        /** The variable of the only root's key, or {@link Variables#NONE}. */
        int key() {
            return roots.size() == 1 ? roots.get(0).key() : Variables.NONE;
        }
    }

    /**
     * The shards' rows together are not the rows that one database would yield.
     *
     * @param reason why, as a sentence for the client
     */
    record Broken(String reason) implements Origin {}

    /**
     * A sharded table that drives a query.
     *
     * @param key the variable of its key
     * @param firstUse the first of the sharded tables that it answers for
     * @param endUse after the last of them
     */
    record Root(int key, ShardingRule rule, int firstUse, int endUse) {

        Root answeringFor(int first, int end) {
            return new Root(key, rule, first, end);
        }
    }

    static Origin partitioned(Root root) {
        return new Partitioned(List.of(root));
    }

    /** The rows of an inner join. */
    static Origin joined(Origin left, Origin right) {
        if (left instanceof Partitioned) {
            return left;
        }
        if (right instanceof Partitioned) {
            return right;
        }
        return left instanceof Broken ? left : right;
    }

    /** The rows of an outer join that keeps those of the left side. */
    static Origin outerJoined(Origin left, Origin right) {
        boolean replicated = left == Replicated.INSTANCE;
        return replicated && right != Replicated.INSTANCE
                ? new Broken("An outer join keeps rows of a table that is on every shard.")
                : left;
    }

    /** The rows of a full join. */
    static Origin fullyJoined(Origin left, Origin right) {
        return left == Replicated.INSTANCE && right == Replicated.INSTANCE ? left : new Broken("It holds a FULL JOIN.");
    }

    /** The rows of UNION ALL. */
    static Origin appended(List<Origin> origins) {
        List<Root> roots = new ArrayList<>();
        boolean replicated = false;
        for (Origin origin : origins) {
            if (origin instanceof Broken) {
                return origin;
            }
            if (origin instanceof Partitioned partitioned) {
                roots.addAll(partitioned.roots());
            } else {
                replicated = true;
            }
        }
        if (roots.isEmpty()) {
            return Replicated.INSTANCE;
        }
        return replicated
                ? new Broken("UNION ALL joins rows of sharded tables with rows that are on every shard.")
                : new Partitioned(roots);
    }
}
