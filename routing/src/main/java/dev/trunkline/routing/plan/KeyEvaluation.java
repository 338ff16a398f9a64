package dev.trunkline.routing.plan;

import dev.trunkline.conf.NullKey;
import dev.trunkline.routing.key.DecodedKey;
import dev.trunkline.routing.key.Decoding;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.ShardingKey;
import dev.trunkline.routing.shard.Lookup;
import dev.trunkline.routing.shard.ShardingFunction;
import dev.trunkline.routing.shard.ShardingRule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Brings the key sets of one statement to shards. Each lookup's snapshot is read once. */
final class KeyEvaluation {

    private static final int NONE_MISSING = -1;

    private final Values values;
    private final int shardCount;
    private final NullKey nullKey;
    private final DecodedKey key = new DecodedKey();
    private final @Nullable KeyTranslation[] snapshots;
    private @Nullable Set<ShardingKey> collected;
    private int missing = NONE_MISSING;
    private int collecting = NONE_MISSING;

    KeyEvaluation(Values values, int shardCount, int lookups, NullKey nullKey) {
        this.values = values;
        this.shardCount = shardCount;
        this.nullKey = nullKey;
        this.snapshots = new KeyTranslation[lookups];
    }

    /** The lookup that does not hold a key; negative if all do. */
    int missing() {
        return missing;
    }

    /** From now on, notes every key of a lookup. */
    void collect(int lookup) {
        collecting = lookup;
        collected = new LinkedHashSet<>();
    }

    List<ShardingKey> collected() {
        return collected == null ? List.of() : List.copyOf(collected);
    }

    /** The one shard on which rows with this one key may be; negative when there is more to say. */
    int oneShard(KeyRef ref, KeyTarget target) {
        boolean several =
                ref instanceof KeyRef.Constant constant && values.constants().size(constant.slot()) != 1;
        return !several && single(ref, target) == Decoding.KEY ? shard(key, target.rule()) : -1;
    }

    /** The shards on which rows with these keys may be. */
    BitSet shards(KeySet keys, KeyTarget target) {
        BitSet shards = new BitSet(shardCount);
        if (keys instanceof KeySet.Values some) {
            for (KeyRef ref : some.refs()) {
                add(ref, target, shards);
            }
        } else if (keys instanceof KeySet.Rows rows) {
            addRows(rows, target, shards);
        } else if (keys instanceof KeySet.NotDistinctFrom same) {
            addNotDistinct(same.ref(), target, shards);
        } else if (keys instanceof KeySet.Union union) {
            union.parts().forEach(part -> shards.or(shards(part, target)));
        } else if (keys instanceof KeySet.Intersection both) {
            shards.set(0, shardCount);
            both.parts().forEach(part -> shards.and(shards(part, target)));
        } else if (keys == KeySet.Fixed.ALL) {
            shards.set(0, shardCount);
        }
        return shards;
    }

    private void add(KeyRef ref, KeyTarget target, BitSet into) {
        if (ref instanceof KeyRef.Constant constant) {
            for (int i = 0; i < values.constants().size(constant.slot()); i++) {
                accept(values.constant(constant, i, target.decoder(), key), key, target, into);
            }
        } else if (ref instanceof KeyRef.Parameter parameter) {
            accept(values.parameter(parameter.number(), parameter.cast(), target.decoder(), key), key, target, into);
        } else if (ref instanceof KeyRef.ArrayParameter array) {
            addArray(values.array(array, target.decoder(), (d, k) -> accept(d, k, target, into)), into);
        } else if (ref instanceof KeyRef.ArrayConstant array) {
            addArray(values.array(array, target.decoder(), (d, k) -> accept(d, k, target, into)), into);
        }
    }

    private void addArray(Decoding decoding, BitSet into) {
        if (decoding == Decoding.UNKNOWN) {
            into.set(0, shardCount);
        }
    }

    private void addNotDistinct(KeyRef ref, KeyTarget target, BitSet into) {
        Decoding decoding = single(ref, target);
        if (decoding == Decoding.NULL) {
            into.set(0, shardCount);
        } else {
            accept(decoding, key, target, into);
        }
    }

    private Decoding single(KeyRef ref, KeyTarget target) {
        if (ref instanceof KeyRef.Constant constant) {
            return values.constant(constant, 0, target.decoder(), key);
        }
        if (ref instanceof KeyRef.Parameter parameter) {
            return values.parameter(parameter.number(), parameter.cast(), target.decoder(), key);
        }
        return Decoding.NULL;
    }

    /** A comparison: NULL and what no key equals match no row. */
    private void accept(Decoding decoding, DecodedKey decoded, KeyTarget target, BitSet into) {
        switch (decoding) {
            case KEY -> {
                int shard = shard(decoded, target.rule());
                if (shard >= 0) {
                    into.set(shard);
                } else {
                    // Unmapped rows may be there from before the mapping; untranslated ones are asked for.
                    into.set(0, shardCount);
                }
            }
            case NULL, NO_ROW -> {}
            case UNKNOWN -> into.set(0, shardCount);
        }
    }

    private void addRows(KeySet.Rows rows, KeyTarget target, BitSet into) {
        for (int shard : rowShards(rows, target)) {
            if (shard >= 0) {
                into.set(shard);
            }
        }
    }

    /** The shard of each row that is inserted, in order; negative while its key is not translated. */
    List<Integer> rowShards(KeyedPlan.Bounded inserted) {
        return rowShards((KeySet.Rows) inserted.keys(), inserted.target());
    }

    private List<Integer> rowShards(KeySet.Rows rows, KeyTarget target) {
        int count = rows.list() < 0 ? 1 : values.constants().rows(rows.list());
        List<Integer> shards = new ArrayList<>(count);
        for (KeyRef ref : rows.rows()) {
            for (int row = 0; row < count; row++) {
                shards.add(rowShard(ref, row, rows.stride(), target));
            }
        }
        return shards;
    }

    /**
     * The shard of a row that is inserted; negative while its key is not translated.
     *
     * @throws dev.trunkline.protocol.error.PgException if the row has none
     */
    int rowShard(KeyRef ref, int row, int stride, KeyTarget target) {
        Decoding decoding = Decoding.NULL;
        if (ref instanceof KeyRef.Constant constant) {
            int element = Math.min(row, values.constants().size(constant.slot()) - 1);
            if (values.isDefault(constant, element)) {
                throw RoutingErrors.missingKey(target.table(), target.column());
            }
            decoding = values.constant(constant, element, target.decoder(), key);
        } else if (ref instanceof KeyRef.Parameter parameter) {
            decoding = values.parameter(parameter.number() + row * stride, parameter.cast(), target.decoder(), key);
        }
        return switch (decoding) {
            case KEY -> storedShard(target);
            case NULL -> nullShard(target);
            case NO_ROW, UNKNOWN -> throw RoutingErrors.computedKey(target.table(), target.column());
        };
    }

    private int storedShard(KeyTarget target) {
        int shard = shard(key, target.rule());
        if (shard == ShardingFunction.UNMAPPED) {
            throw RoutingErrors.unmappedKey(target.table(), target.column());
        }
        return shard;
    }

    private int nullShard(KeyTarget target) {
        if (nullKey == NullKey.ERROR) {
            throw RoutingErrors.missingKey(target.table(), target.column());
        }
        return 0;
    }

    private int shard(DecodedKey decoded, ShardingRule rule) {
        Lookup lookup = rule.lookup();
        if (lookup == null) {
            return rule.shard(decoded, null);
        }
        if (collected != null && collecting == lookup.index()) {
            collected.add(decoded.toKey());
        }
        int shard = rule.shard(decoded, snapshot(lookup.index()));
        if (shard == ShardingRule.UNTRANSLATED && missing < 0) {
            missing = lookup.index();
        }
        return shard;
    }

    private KeyTranslation snapshot(int lookup) {
        KeyTranslation snapshot = snapshots[lookup];
        if (snapshot == null) {
            snapshot = values.translations().translation(lookup);
            snapshots[lookup] = snapshot;
        }
        return snapshot;
    }
}
