package dev.trunkline.lookup;

import dev.trunkline.lookup.source.LookupQuery;
import dev.trunkline.routing.key.KeyType;
import org.jspecify.annotations.Nullable;

/**
 * One lookup of a database: which query answers for which sharding key column.
 *
 * @param database the database's name as clients know it
 * @param index the number of the lookup in the database's rules, from 0 without gaps, at most 63
 * @param schema schema of the lookup table; null when the configuration names none
 * @param table the lookup table, for messages
 * @param query one SELECT of two columns: the value as clients write it, the value to hash
 * @param type how both columns are parsed and compared
 * @param column the sharding key column, for messages
 * @param namesShard the second column is the number of a shard
 */
public record LookupDefinition(
        String database,
        int index,
        @Nullable String schema,
        String table,
        String query,
        KeyType type,
        String column,
        boolean namesShard) {

    /** A lookup whose second column is hashed. */
    public LookupDefinition(
            String database,
            int index,
            @Nullable String schema,
            String table,
            String query,
            KeyType type,
            String column) {
        this(database, index, schema, table, query, type, column, false);
    }

    LookupQuery query(LookupOptions options) {
        return new LookupQuery(query, type, namesShard, options.maxBytes());
    }
}
