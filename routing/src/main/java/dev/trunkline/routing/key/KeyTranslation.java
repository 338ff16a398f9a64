package dev.trunkline.routing.key;

import org.jspecify.annotations.Nullable;

/**
 * One immutable snapshot of a lookup map: a sharding key value as written by the client to the value to hash.
 *
 * <p>The port that the lookup implements. All keys of one statement are translated by one snapshot. Safe for any
 * thread; a call neither blocks nor allocates.
 */
public interface KeyTranslation {

    /** The translated key of an integer, or null when this snapshot has no row for it. */
    @Nullable
    ShardingKey translate(long value);

    /** The translated key of a uuid given as two big-endian longs, or null when this snapshot has no row for it. */
    @Nullable
    ShardingKey translate(long mostSignificant, long leastSignificant);

    /** The translated key of a text given as UTF-8 bytes, or null when this snapshot has no row for it. */
    @Nullable
    ShardingKey translate(byte[] bytes, int offset, int length);
}
