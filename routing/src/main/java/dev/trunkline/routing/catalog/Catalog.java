package dev.trunkline.routing.catalog;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one database's system catalogs say, read from shard 0; immutable. System schemas (pg_catalog,
 * information_schema, pg_toast) are not in it.
 *
 * @param version unique in the process, greater for a later read; part of a route plan's key
 * @param serverVersion server_version_num, e.g. 180006
 * @param relations user relations by name
 * @param functions user functions by name
 */
public record Catalog(
        long version,
        int serverVersion,
        Map<QualifiedName, Relation> relations,
        Map<QualifiedName, Function> functions) {

    /** A catalog that knows nothing; for a database that has not been read yet. */
    public static final Catalog EMPTY = new Catalog(0, 0, Map.of(), Map.of());

    /** The relation that an unqualified name means under a search path, or null. */
    public @Nullable Relation resolve(String name, List<String> searchPath) {
        for (String schema : searchPath) {
            Relation relation = relations.get(new QualifiedName(schema, name));
            if (relation != null) {
                return relation;
            }
        }
        return null;
    }
}
