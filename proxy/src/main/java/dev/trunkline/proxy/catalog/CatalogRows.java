package dev.trunkline.proxy.catalog;

import dev.trunkline.routing.catalog.Column;
import dev.trunkline.routing.catalog.QualifiedName;
import dev.trunkline.routing.catalog.Relation.Kind;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@link CatalogQueries} answer, objects named by their identifiers.
 *
 * @param serverVersion server_version_num
 * @param relations user relations
 * @param columns their live columns, in order of position
 * @param functions functions that did not come with the server
 * @param viewReads from views to the relations that their queries name, also of the system
 * @param viewCalls from views to the functions that their queries call, also of the system
 * @param parents from partitions and children to their parents
 * @param foreignKeys all foreign keys
 */
record CatalogRows(
        int serverVersion,
        List<RelationRow> relations,
        List<ColumnRow> columns,
        List<FunctionRow> functions,
        List<Edge> viewReads,
        List<Edge> viewCalls,
        List<Edge> parents,
        List<ForeignKeyRow> foreignKeys) {

    /** No rows yet; the lists are there to be filled. */
    static CatalogRows empty(int serverVersion) {
        return new CatalogRows(
                serverVersion,
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>());
    }

    record RelationRow(long oid, QualifiedName name, Kind kind, boolean rowSecurity, boolean hasTriggers) {

        static RelationRow of(Row row) {
            return new RelationRow(
                    row.getLong(0),
                    new QualifiedName(row.getString(1), row.getString(2)),
                    kind(row.getString(3)),
                    row.getBoolean(4),
                    row.getBoolean(5));
        }

        private static Kind kind(String relkind) {
            return switch (relkind) {
                case "r" -> Kind.TABLE;
                case "p" -> Kind.PARTITIONED_TABLE;
                case "v" -> Kind.VIEW;
                case "m" -> Kind.MATERIALIZED_VIEW;
                case "f" -> Kind.FOREIGN_TABLE;
                case "S" -> Kind.SEQUENCE;
                default -> throw new IllegalStateException("not asked for: relkind " + relkind);
            };
        }
    }

    record ColumnRow(long relation, Column column) {

        static ColumnRow of(Row row) {
            // An oid above 2^31 wraps to a negative int, as everywhere in Java clients.
            return new ColumnRow(
                    row.getLong(0),
                    new Column(
                            row.getString(1),
                            row.getInteger(2),
                            (int) (long) row.getLong(3),
                            row.getInteger(4),
                            row.getBoolean(5),
                            row.getBoolean(6),
                            row.getBoolean(7),
                            row.getBoolean(8),
                            row.getBoolean(9),
                            row.getBoolean(10),
                            row.getBoolean(8) ? row.getString(11) : null));
        }
    }

    record FunctionRow(long oid, QualifiedName name, boolean immutable, boolean extension) {

        static FunctionRow of(Row row) {
            return new FunctionRow(
                    row.getLong(0),
                    new QualifiedName(row.getString(1), row.getString(2)),
                    row.getBoolean(3),
                    row.getBoolean(4));
        }
    }

    record Edge(long from, long to) {

        static Edge of(Row row) {
            return new Edge(row.getLong(0), row.getLong(1));
        }
    }

    record ForeignKeyRow(long referencing, long referenced, boolean hasAction) {

        static ForeignKeyRow of(Row row) {
            return new ForeignKeyRow(row.getLong(0), row.getLong(1), row.getBoolean(2));
        }
    }
}
