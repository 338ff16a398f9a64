package dev.trunkline.proxy.engine;

import dev.trunkline.copy.format.CopyFormat;
import dev.trunkline.copy.format.CopyOptions;
import dev.trunkline.copy.format.RowScanner.KeyValue;
import dev.trunkline.copy.format.Utf8;
import dev.trunkline.copy.split.KeyPlacement;
import dev.trunkline.copy.split.KeyShards;
import dev.trunkline.lookup.Lookups;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.DecodedKey;
import dev.trunkline.routing.key.Decoding;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import dev.trunkline.routing.plan.RoutingErrors;
import dev.trunkline.routing.shard.CopyTarget;
import dev.trunkline.routing.shard.Lookup;
import dev.trunkline.routing.shard.ShardingFunction;
import dev.trunkline.routing.shard.ShardingRule;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The shards of the keys of one COPY. Translated keys are remembered with their shards: when the stream has ended, what
 * they say must still be so, whatever snapshots they were read from.
 */
final class CopyKeys implements KeyPlacement {

    /** Any server will find the same fault in the row, and refuse it or leave it out. */
    private static final int ANY_SHARD = 0;

    private final CopyTarget target;
    private final ShardingRule rule;
    private final boolean binary;
    private final boolean ignoresErrors;
    private final Lookups lookups;
    private final DecodedKey key = new DecodedKey();
    private final KeyShards known = new KeyShards();
    private final boolean own;
    private @Nullable KeyTranslation snapshot;
    private boolean mixed;
    private boolean incomplete;

    /**
     * The keys of a COPY.
     *
     * @param ownMap what its transaction reads of the lookup, if it has written it; null = what is published counts
     */
    CopyKeys(CopyTarget target, CopyOptions options, Lookups lookups, @Nullable KeyTranslation ownMap) {
        this.target = target;
        this.rule = target.shardingRule();
        this.binary = options.format() == CopyFormat.BINARY;
        this.ignoresErrors = options.ignoresErrors();
        this.lookups = lookups;
        Lookup lookup = rule.lookup();
        this.own = ownMap != null;
        this.snapshot = lookup == null || ownMap != null ? ownMap : lookups.translation(lookup.index());
    }

    @Override
    public int shard(KeyValue value, byte[] bytes, int offset, int length) {
        if (value == KeyValue.NULL) {
            return nullShard();
        }
        if (value == KeyValue.DEFAULT) {
            throw RoutingErrors.missingKey(target.label(), rule.column());
        }
        try {
            decode(bytes, offset, length);
        } catch (PgException fault) {
            if (ignoresErrors || binary || !Utf8.isText(bytes, offset, length)) {
                return ANY_SHARD;
            }
            throw fault;
        }
        if (snapshot == null) {
            return mapped(rule.shard(key, null));
        }
        int shard = translated();
        return shard == UNKNOWN && !isText() ? ANY_SHARD : shard;
    }

    /** False when every server refuses the row because its key is no text. */
    private boolean isText() {
        return key.type() != KeyType.VARCHAR || Utf8.isText(key.bytes(), key.offset(), key.length());
    }

    private int nullShard() {
        return switch (target.nullKey()) {
            case ERROR -> throw RoutingErrors.missingKey(target.label(), rule.column());
            case SHARD0 -> 0;
        };
    }

    private void decode(byte[] bytes, int offset, int length) {
        Decoding decoding = binary
                ? target.keyDecoder().ownBinary(bytes, offset, length, key)
                : target.keyDecoder().string(bytes, offset, length, key);
        if (decoding != Decoding.KEY) {
            throw new IllegalStateException("a key of COPY that is " + decoding);
        }
    }

    private int mapped(int shard) {
        if (shard == ShardingFunction.UNMAPPED) {
            throw RoutingErrors.unmappedKey(target.label(), rule.column());
        }
        return shard;
    }

    private int translated() {
        int shard = known.shard(key);
        if (shard >= 0) {
            return shard;
        }
        shard = rule.shard(key, snapshot);
        if (shard == ShardingRule.UNTRANSLATED) {
            return UNKNOWN;
        }
        remember(mapped(shard));
        return shard;
    }

    private void remember(int shard) {
        if (known.isFull()) {
            incomplete = true;
        } else {
            known.add(key, shard);
        }
    }

    // ---- keys that the snapshot does not hold

    int lookup() {
        return translating().index();
    }

    private Lookup translating() {
        Lookup lookup = rule.lookup();
        if (lookup == null) {
            throw new IllegalStateException("keys that are not translated");
        }
        return lookup;
    }

    /** There is no row for the key that waits, and no other snapshot to look at. */
    PgException notMapped() {
        return CopyErrors.notMapped(target, translating(), missing());
    }

    /** True when the transaction reads the lookup by itself: no one else can verify a key for it. */
    boolean isOwn() {
        return own;
    }

    /** The key of the row that waits. */
    ShardingKey missing() {
        return key.toKey();
    }

    /** What was found for the key of the row that waits; keys to come are read from what is published now. */
    void found(KeyTranslation verified) {
        int shard = mapped(rule.shard(key, verified));
        if (shard >= 0) {
            known.add(key, shard);
        }
        snapshot = lookups.translation(lookup());
        mixed = true;
    }

    // ---- the end

    /** True when what the rows were sent by is known to hold still. */
    boolean isCurrent() {
        KeyTranslation used = snapshot;
        return used == null
                || known.size() == 0
                || !mixed && lookups.isCurrent(lookup(), used)
                || !own && holdsIn(lookups.translation(lookup()));
    }

    /** Every key that has to be looked at again. */
    List<ShardingKey> used() {
        return IntStream.range(0, known.size()).mapToObj(known::key).toList();
    }

    /** Whether each key that was used still belongs where its rows were sent. */
    boolean holdsIn(KeyTranslation translation) {
        if (incomplete) {
            return false;
        }
        for (int i = 0; i < known.size(); i++) {
            ShardingKey translated = known.key(i).translatedBy(translation);
            if (translated == null || rule.shardOf(translated) != known.shardOf(i)) {
                return false;
            }
        }
        return true;
    }

    /** The sharding key, for messages. */
    String column() {
        return rule.column();
    }
}
