package dev.trunkline.routing.shard;

import dev.trunkline.routing.key.DecodedKey;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes tables sharded by a column, and says where a value of it lives.
 *
 * @param schema the schema of its tables; null = any
 * @param table the name of its tables; null = every table that has the column
 * @param column the sharding key
 * @param type its family
 * @param lookup the map by which values are translated first; null = none
 * @param translatesToShard the translated value is the number of the shard itself
 * @param function where a (translated) value lives
 * @param shardCount how many shards the database has
 */
public record ShardingRule(
        @Nullable String schema,
        @Nullable String table,
        String column,
        KeyType type,
        @Nullable Lookup lookup,
        boolean translatesToShard,
        ShardingFunction function,
        int shardCount) {

    private static final int MAX_DIGITS = 9;

    /** What {@link #shard} answers for a value that the lookup's snapshot does not hold. */
    public static final int UNTRANSLATED = -2;

    /** Whether rows with equal keys live on the same shard in tables of both rules. */
    public boolean isColocatedWith(ShardingRule other) {
        return type == other.type
                && translatesToShard == other.translatesToShard
                && Objects.equals(lookup, other.lookup)
                && function.equals(other.function);
    }

    /**
     * The shard of a key.
     *
     * @param translation the snapshot of the rule's lookup; not looked at by a rule without one
     * @return the shard from 0, {@link ShardingFunction#UNMAPPED} or {@link #UNTRANSLATED}
     * @throws dev.trunkline.protocol.error.PgException 22023 if the lookup names a shard that does not exist
     */
    public int shard(DecodedKey key, @Nullable KeyTranslation translation) {
        if (lookup == null) {
            return function.shard(key);
        }
        ShardingKey translated = translate(key, Objects.requireNonNull(translation));
        if (translated == null) {
            return UNTRANSLATED;
        }
        return shardOf(translated);
    }

    /**
     * The shard of a key that has been translated.
     *
     * @return the shard from 0, or {@link ShardingFunction#UNMAPPED}
     * @throws dev.trunkline.protocol.error.PgException 22023 if the lookup names a shard that does not exist
     */
    public int shardOf(ShardingKey translated) {
        return translatesToShard ? shardNumber(translated) : function.shard(translated);
    }

    /** Beside uuids, a number stands where a key would: in its last eight bytes. */
    private int shardNumber(ShardingKey translated) {
        String number = type == KeyType.UUID ? Long.toString(translated.leastSignificant()) : translated.toString();
        boolean isNumber = number.length() <= MAX_DIGITS && number.chars().allMatch(c -> c >= '0' && c <= '9');
        int shard = isNumber && !number.isEmpty() ? Integer.parseInt(number) : shardCount;
        if (shard >= shardCount) {
            throw ShardErrors.noSuchShard(number, shardCount);
        }
        return shard;
    }

    private static @Nullable ShardingKey translate(DecodedKey key, KeyTranslation translation) {
        return switch (key.type()) {
            case BIGINT -> translation.translate(key.longValue());
            case UUID -> translation.translate(key.mostSignificant(), key.leastSignificant());
            case VARCHAR -> translation.translate(key.bytes(), key.offset(), key.length());
        };
    }
}
