package dev.trunkline.routing.plan;

import dev.trunkline.routing.catalog.Catalog;
import dev.trunkline.routing.shard.ShardingRules;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * What the meaning of a statement depends on, beside its text.
 *
 * @param database the rules and the catalog
 * @param searchPath the schemas in which unqualified names are looked up
 * @param temporaryTables temporary relations of the session
 * @param parameterStride the distance of parameter numbers from row to row in a VALUES list of which the shape holds
 *     one row
 * @param overridesUserValue OVERRIDING USER VALUE: identity columns ignore what is inserted
 */
public record Environment(
        Database database,
        List<String> searchPath,
        Set<String> temporaryTables,
        IntUnaryOperator parameterStride,
        boolean overridesUserValue) {

    /** The first version whose integers may be spelled {@code 0x2a} and {@code 1_000}. */
    private static final int INTEGER_PREFIXES = 160_000;

    /** The rules and the catalog of a database, prepared for look-ups; immutable. */
    public static final class Database {

        final ShardingRules rules;
        final Tables tables;
        final Functions functions;
        final LookupMarks marks;
        final boolean integerPrefixes;
        final int serverVersion;

        /** Prepares the look-ups. */
        public Database(ShardingRules rules, Catalog catalog) {
            this.rules = rules;
            this.tables = new Tables(rules, catalog);
            this.functions = new Functions(catalog);
            this.marks = new LookupMarks(rules, catalog);
            this.serverVersion = catalog.serverVersion();
            this.integerPrefixes = catalog.serverVersion() >= INTEGER_PREFIXES;
        }
    }

    TableUse resolve(@org.jspecify.annotations.Nullable String schema, String name) {
        return database.tables.resolve(schema, name, searchPath, temporaryTables);
    }
}
