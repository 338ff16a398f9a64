package dev.trunkline.lookup;

import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.ShardingKey;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has read of a lookup that it has written itself: for one statement of this transaction alone.
 *
 * <p>It counts as current until somebody else's change of the lookup has been committed: that statement would be
 * translated anew.
 */
final class OwnTranslation implements KeyTranslation {

    private final KeyTranslation rows;
    private final long generation;

    /**
     * A translation by rows that were read just now.
     *
     * @param generation the published state's as the rows were there
     */
    OwnTranslation(KeyTranslation rows, long generation) {
        this.rows = rows;
        this.generation = generation;
    }

    boolean isCurrent(MapState published) {
        return published.generation() == generation;
    }

    @Override
    public @Nullable ShardingKey translate(long value) {
        return rows.translate(value);
    }

    @Override
    public @Nullable ShardingKey translate(long mostSignificant, long leastSignificant) {
        return rows.translate(mostSignificant, leastSignificant);
    }

    @Override
    public @Nullable ShardingKey translate(byte[] bytes, int offset, int length) {
        return rows.translate(bytes, offset, length);
    }
}
