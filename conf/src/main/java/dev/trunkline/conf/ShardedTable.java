package dev.trunkline.conf;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule that makes tables sharded. Names are exact: nothing is folded to lower case.
 *
 * @param database the database that it is about
 * @param schema the schema of the table; null = any
 * @param name the table; null = every table that has the column
 * @param column the sharding key
 * @param dataType the family of the key
 * @param lookup the omnisharded table behind the lookup query; null together with {@code query} = no translation
 * @param query the lookup query: one SELECT without parameters whose rows are (key, translated key)
 * @param lookupResult what the second column of the query means
 * @param mapping which values live where; empty = by hash
 */
public record ShardedTable(
        String database,
        @Nullable String schema,
        @Nullable String name,
        String column,
        @Default("bigint") KeyDataType dataType,
        @Nullable String lookup,
        @Nullable String query,
        @Default("value") LookupResult lookupResult,
        @Default("[]") List<ShardMapping> mapping) {

    public ShardedTable {
        mapping = List.copyOf(mapping);
    }
}
