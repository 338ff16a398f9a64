package dev.trunkline.routing.catalog;

import java.util.List;

/**
 * A relation of the database.
 *
 * @param name schema and name
 * @param kind what it is
 * @param columns live columns in order of position
 * @param reads for a view or materialised view the user relations that it reads, through views down to tables; else
 *     empty. What a function reads that it calls is not in it: see {@code calls}
 * @param calls for a view or materialised view the functions that do not come with PostgreSQL which it calls, through
 *     views; else empty
 * @param ancestors partition or inheritance parents, nearest first; else empty
 * @param cascadesTo relations whose rows may change when rows of this one are deleted or updated: foreign keys with an
 *     action, transitively, with the partitions, children and parents of what they reach
 * @param referencedBy relations that TRUNCATE … CASCADE of this one empties: every foreign key, transitively, with the
 *     partitions, children and parents of what they reach
 * @param hasTriggers user triggers or rewrite rules (other than a view's own) exist on it or on a partition or child
 * @param rowSecurity row-level security is enabled
 */
public record Relation(
        QualifiedName name,
        Kind kind,
        List<Column> columns,
        List<QualifiedName> reads,
        List<QualifiedName> calls,
        List<QualifiedName> ancestors,
        List<QualifiedName> cascadesTo,
        List<QualifiedName> referencedBy,
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
