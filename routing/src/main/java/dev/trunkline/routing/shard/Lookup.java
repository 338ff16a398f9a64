package dev.trunkline.routing.shard;

import dev.trunkline.routing.key.KeyType;
import org.jspecify.annotations.Nullable;

/**
 * A map from sharding key values to those that are hashed. Rules with the same table, query and type share one.
 *
 * @param index its number within the database's rules, from 0 without gaps; also its bit in a mask of lookups
 * @param schema the schema of the lookup table; null = any
 * @param table the lookup table
 * @param query one SELECT of two columns: the value as clients write it, the value to hash
 * @param type how both columns are parsed and compared
 * @param column the sharding key column of the first rule that uses it, for messages
 * @param shardedTable the table of that rule, {@code *} for a rule of all tables; for messages
 * @param namesShard the second column is the number of a shard
 */
public record Lookup(
        int index,
        @Nullable String schema,
        String table,
        String query,
        KeyType type,
        String column,
        String shardedTable,
        boolean namesShard) {

    /** A lookup whose second column is hashed. */
    public Lookup(
            int index,
            @Nullable String schema,
            String table,
            String query,
            KeyType type,
            String column,
            String shardedTable) {
        this(index, schema, table, query, type, column, shardedTable, false);
    }

    /** The lookup as a bit of a mask. */
    public long bit() {
        return 1L << index;
    }
}
