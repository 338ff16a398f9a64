package dev.trunkline.routing.sql;

import org.jspecify.annotations.Nullable;

/**
 * A name of a relation, function or other object as a statement gives it; folded, cut, without a database's name.
 *
 * @param schema null if the name is not qualified
 */
public record ObjectName(@Nullable String schema, String name) {

    /** Whether the name means a function or relation of PostgreSQL itself of this name, as far as the schema tells. */
    boolean isSystem(String expected) {
        return name.equals(expected) && (schema == null || schema.equals("pg_catalog"));
    }

    @Override
    public String toString() {
        return schema == null ? name : schema + "." + name;
    }
}
