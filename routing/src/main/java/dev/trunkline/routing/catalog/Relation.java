package dev.trunkline.routing.catalog;

import java.util.List;

/**
 * A relation of the database.
 *
 * @param name schema and name
 * @param kind what it is
 * @param columns live columns in order of position
 * @param reads for a view or materialised view the relations that it reads, through views down to tables; else empty
 * @param ancestors partition or inheritance parents, nearest first; else empty
 * @param cascadesTo relations whose rows may change when rows of this one are deleted, updated or truncated
 *     (foreign keys with an action, transitively; TRUNCATE … CASCADE reaches every referencing relation)
 * @param hasTriggers user triggers or rewrite rules (other than a view's own) exist on it
 * @param rowSecurity row-level security is enabled
 */
public record Relation(
        QualifiedName name,
        Kind kind,
        List<Column> columns,
        List<QualifiedName> reads,
        List<QualifiedName> ancestors,
        List<QualifiedName> cascadesTo,
        boolean hasTriggers,
        boolean rowSecurity) {

    /** relkind, by name. */
    public enum Kind {
        TABLE,
        PARTITIONED_TABLE,
        VIEW,
        MATERIALIZED_VIEW,
        FOREIGN_TABLE,
        SEQUENCE
    }
}
