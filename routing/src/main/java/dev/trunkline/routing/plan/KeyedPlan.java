package dev.trunkline.routing.plan;

import dev.trunkline.conf.SplitInserts;
import dev.trunkline.routing.shard.ShardingRules;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a statement runs that uses sharded tables: what its values say. */
public final class KeyedPlan implements RoutePlan {

    private final ShardingRules rules;
    private final List<Bounded> bounded;
    private final List<Bounded> roots;
    private final @Nullable String brokenBecause;
    private final BitSet singleShards;
    private final List<KeyChange> keyChanges;
    private final int[] slots;
    private final boolean needsParameters;
    private final @Nullable String insertsInto;
    /** The key, when the statement depends on one alone. */
    private final @Nullable KeyRef only;

    /** A set of keys of a sharded table. */
    record Bounded(KeySet keys, KeyTarget target) {}

    /** A key that is set must be of the statement's own shard. */
    record KeyChange(KeyRef value, KeyTarget target) {}

    KeyedPlan(
            ShardingRules rules,
            List<Bounded> bounded,
            List<Bounded> roots,
            @Nullable String brokenBecause,
            BitSet singleShards,
            List<KeyChange> keyChanges,
            Numbering numbering,
            @Nullable String insertsInto) {
        this.rules = rules;
        this.bounded = bounded;
        this.roots = roots;
        this.brokenBecause = brokenBecause;
        this.singleShards = singleShards;
        this.keyChanges = keyChanges;
        this.slots = numbering.slots();
        this.needsParameters = numbering.parameters();
        this.insertsInto = insertsInto;
        this.only = singleShards.isEmpty() && keyChanges.isEmpty() ? onlyKey(bounded) : null;
    }

    private static @Nullable KeyRef onlyKey(List<Bounded> bounded) {
        if (bounded.size() != 1
                || !(bounded.get(0).keys() instanceof KeySet.Values some)
                || some.refs().size() != 1) {
            return null;
        }
        KeyRef ref = some.refs().get(0);
        return ref instanceof KeyRef.Constant || ref instanceof KeyRef.Parameter ? ref : null;
    }

    @Override
    public int[] slots() {
        return slots;
    }

    @Override
    public boolean needsParameters() {
        return needsParameters;
    }

    /**
     * Where the statement runs with these values.
     *
     * @throws dev.trunkline.protocol.error.PgException if it is refused
     */
    public Destination evaluate(Values values) {
        KeyEvaluation evaluation = evaluation(values);
        if (only != null) {
            int shard = evaluation.oneShard(only, bounded.get(0).target());
            if (shard >= 0) {
                return new Destination.One(shard);
            }
        }
        BitSet all = shards(evaluation, bounded);
        all.or(singleShards);
        int changed = changedShards(evaluation, all);
        if (evaluation.missing() >= 0) {
            return missing(values, evaluation.missing());
        }
        return switch (all.cardinality()) {
            case 0 -> Destination.Fixed.ANY;
            case 1 -> one(all.nextSetBit(0), changed);
            default -> several(evaluation);
        };
    }

    private KeyEvaluation evaluation(Values values) {
        return new KeyEvaluation(values, rules.shardCount(), rules.lookups().size(), rules.nullKey());
    }

    private static BitSet shards(KeyEvaluation evaluation, List<Bounded> sets) {
        BitSet all = new BitSet();
        for (Bounded set : sets) {
            all.or(evaluation.shards(set.keys(), set.target()));
        }
        return all;
    }

    /** How many keys that are set belong to another shard than the statement. */
    private int changedShards(KeyEvaluation evaluation, BitSet all) {
        int changed = 0;
        for (KeyChange change : keyChanges) {
            int shard = evaluation.rowShard(change.value(), 0, 0, change.target());
            if (all.cardinality() != 1 || !all.get(Math.max(shard, 0))) {
                changed++;
            }
        }
        return changed;
    }

    private Destination one(int shard, int changed) {
        if (changed > 0) {
            throw keyUpdate();
        }
        return new Destination.One(shard);
    }

    private RuntimeException keyUpdate() {
        KeyTarget target = keyChanges.get(0).target();
        return RoutingErrors.keyUpdate(target.table(), target.column());
    }

    private Destination several(KeyEvaluation evaluation) {
        if (!keyChanges.isEmpty()) {
            throw keyUpdate();
        }
        if (rules.crossShardDisabled()) {
            throw RoutingErrors.crossShardDisabled(bounded.get(0).target());
        }
        if (insertsInto != null) {
            return rows(evaluation, insertsInto);
        }
        if (brokenBecause != null) {
            throw RoutingErrors.crossShard(brokenBecause);
        }
        BitSet shards = shards(evaluation, roots);
        return switch (shards.cardinality()) {
            case 0 -> Destination.Fixed.ANY;
            case 1 -> new Destination.One(shards.nextSetBit(0));
            default -> new Destination.Several(shards);
        };
    }

    /** An INSERT falls into one per shard, if nothing else in it looks at sharded tables. */
    private Destination rows(KeyEvaluation evaluation, String table) {
        boolean alone =
                bounded.size() == 1 && singleShards.isEmpty() && bounded.get(0).keys() instanceof KeySet.Rows;
        if (!alone || rules.splitInserts() != SplitInserts.REWRITE) {
            throw RoutingErrors.severalShardsInsert(table);
        }
        return new Destination.Rows(table, evaluation.rowShards(bounded.get(0)));
    }

    /** One verified snapshot must answer the whole statement: all of its keys are asked for. */
    private Destination missing(Values values, int lookup) {
        KeyEvaluation collection = evaluation(values);
        collection.collect(lookup);
        BitSet ignored = shards(collection, bounded);
        keyChanges.forEach(change -> {
            int shard = collection.rowShard(change.value(), 0, 0, change.target());
            ignored.set(Math.max(shard, 0));
        });
        return new Destination.Missing(lookup, collection.collected());
    }
}
