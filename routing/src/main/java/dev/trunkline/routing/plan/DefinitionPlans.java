package dev.trunkline.routing.plan;

import dev.trunkline.routing.sql.Classification;
import dev.trunkline.routing.sql.Command;
import dev.trunkline.routing.sql.Definition;
import dev.trunkline.routing.sql.Keyword;
import dev.trunkline.routing.sql.ObjectName;
import dev.trunkline.routing.sql.Shape;
import dev.trunkline.routing.sql.StatementKind;
import dev.trunkline.routing.sql.TokenKind;
import dev.trunkline.routing.sql.Tokens;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plans of statements that are known by their tokens alone: definitions, utilities, COPY of a table. */
public final class DefinitionPlans {

    private static final Set<String> NUMBERED_TYPES =
            Set.of("serial", "serial2", "serial4", "serial8", "smallserial", "bigserial");

    private DefinitionPlans() {}

    /** The plan of DDL, TRUNCATE, LOCK or a utility: all shards, each does the same. */
    public static Planned plan(Classification statement, Tokens tokens, Shape shape, Environment environment) {
        Definition definition = statement.definition();
        RoutePlan refusal = refusal(statement, tokens, shape, environment);
        boolean omnisharded = false;
        boolean sharded = false;
        for (ObjectName target : definition.targets()) {
            TableUse table = environment.resolve(target.schema(), target.name());
            omnisharded |= table.isOmnisharded();
            sharded |= table.kind() == TableUse.Kind.SHARDED;
        }
        return new Planned(
                refusal == null ? RoutePlan.Fixed.ALL : refusal,
                lookupWrites(statement, tokens, shape, environment),
                false,
                sharded,
                omnisharded,
                false,
                null);
    }

    private static @Nullable RoutePlan refusal(
            Classification statement, Tokens tokens, Shape shape, Environment environment) {
        Definition definition = statement.definition();
        if (definition.temporary()) {
            return refused("a temporary object", "Use an ordinary table.");
        }
        if (definition.object() == Keyword.TABLE && definition.verb() == Keyword.CREATE && statement.inner() != null) {
            return refused("CREATE TABLE AS", "Use CREATE TABLE, then INSERT ... SELECT.");
        }
        if (definition.verb() != Keyword.ALTER || definition.object() != Keyword.TABLE) {
            return null;
        }
        for (ObjectName target : definition.targets()) {
            TableUse table = environment.resolve(target.schema(), target.name());
            if (table.isOmnisharded() && fillsUnequally(tokens, shape, environment)) {
                return new RoutePlan.Refused(
                        RoutingErrors.unequalWrite(
                                table.label(), "Values for the rows that are there are computed on each shard."),
                        false);
            }
        }
        return null;
    }

    private static RoutePlan refused(String what, String hint) {
        return new RoutePlan.Refused(RoutingErrors.notOverSeveralShards(what, hint), false);
    }

    /** A new column gets its default in every row that is there: by each shard's clock, in each shard's order. */
    private static boolean fillsUnequally(Tokens tokens, Shape shape, Environment environment) {
        boolean computes = false;
        boolean fills = false;
        for (int i = shape.firstToken(); i < shape.endToken(); i++) {
            fills |= tokens.is(i, Keyword.DEFAULT) || tokens.is(i, Keyword.USING);
            boolean numbers = tokens.is(i, Keyword.IDENTITY)
                    || (tokens.isName(i) && NUMBERED_TYPES.contains(tokens.name(i)))
                    || tokens.keyword(i).tellsTime();
            if (numbers) {
                return true;
            }
            computes |= tokens.isName(i)
                    && tokens.is(i + 1, TokenKind.LEFT_PARENTHESIS)
                    && isUnequal(tokens.name(i), environment);
        }
        return fills && computes;
    }

    private static boolean isUnequal(String function, Environment environment) {
        return !environment
                .database()
                .functions
                .use(null, function, environment.searchPath())
                .isEqualEverywhere();
    }

    private static long lookupWrites(Classification statement, Tokens tokens, Shape shape, Environment environment) {
        LookupMarks marks = environment.database().marks;
        Definition definition = statement.definition();
        boolean wide = definition.object() == Keyword.SCHEMA || definition.object() == Keyword.DATABASE;
        boolean drops = definition.verb() == Keyword.DROP && definition.cascade();
        if (!mayChangeRows(definition)) {
            return 0;
        }
        if (wide || drops) {
            return marks.everything();
        }
        long writes = named(tokens, shape, marks);
        for (ObjectName target : definition.targets()) {
            TableUse table = environment.resolve(target.schema(), target.name());
            writes |= marks.truncate(table, definition.cascade());
        }
        return writes;
    }

    /** Whether a query may find other rows afterwards; a lock may be the first step of a change. */
    private static boolean mayChangeRows(Definition definition) {
        return switch (definition.verb()) {
            case ALTER, DROP, TRUNCATE, LOCK, REFRESH -> true;
            case CREATE -> definition.object() == Keyword.VIEW;
            default -> false;
        };
    }

    /** ALTER TABLE other INHERIT lookup_table, and whatever else names one. */
    private static long named(Tokens tokens, Shape shape, LookupMarks marks) {
        long writes = 0;
        for (int i = shape.firstToken(); i < shape.endToken(); i++) {
            if (tokens.isName(i)) {
                writes |= marks.named(tokens.name(i));
            }
        }
        return writes;
    }

    /** COPY of a table. */
    public static Planned copy(StatementKind kind, @Nullable Command command, Environment environment) {
        if (!(command instanceof Command.Copy copy) || copy.table() == null) {
            return Planned.of(new RoutePlan.Refused(RoutingErrors.notAnalysed("It is a COPY of no table."), true));
        }
        TableUse table = environment.resolve(copy.schema(), copy.table());
        boolean unknown = table.relation() == null && table.kind() != TableUse.Kind.SYSTEM;
        boolean writes = kind == StatementKind.COPY_FROM_STDIN;
        List<String> columns = writes ? CopyPlans.columns(copy, table) : copy.columns();
        return new Planned(
                kind == StatementKind.COPY_FILE
                        ? refused("COPY from or to a file of the server", "Use COPY FROM STDIN or TO STDOUT.")
                        : writes ? from(table, columns, environment) : to(table, environment),
                writes ? environment.database().marks.insert(table) : 0,
                writes
                        && environment.database().marks.insert(table) != 0
                        && environment.database().marks.changedByInsert(table) == 0,
                table.kind() == TableUse.Kind.SHARDED,
                writes && table.isOmnisharded(),
                unknown,
                writes && copy.columns().isEmpty() && !columns.isEmpty() ? columns : null);
    }

    private static RoutePlan from(TableUse table, List<String> columns, Environment environment) {
        return switch (table.kind()) {
            case SHARDED, OMNISHARDED, STICKY -> CopyPlans.from(table, columns, environment);
            case SINGLE ->
                new RoutePlan.Single(
                        environment.database().rules.unlistedTables().shard());
            case UNLISTED -> new RoutePlan.Refused(RoutingErrors.unlistedWrite(table.label()), false);
            case UNKNOWN -> new RoutePlan.Refused(RoutingErrors.noRelation(table.label()), false);
            case VIEW -> new RoutePlan.Refused(RoutingErrors.viewWrite(table.label()), false);
            case SYSTEM, TEMPORARY -> refused("COPY into such a table", "Use INSERT.");
        };
    }

    private static RoutePlan to(TableUse table, Environment environment) {
        return switch (table.kind()) {
            case SHARDED -> CopyPlans.to(table, environment);
            case OMNISHARDED -> RoutePlan.Fixed.ANY;
            case STICKY, SYSTEM -> RoutePlan.Fixed.STICKY;
            case SINGLE ->
                new RoutePlan.Single(
                        environment.database().rules.unlistedTables().shard());
            case UNLISTED, UNKNOWN -> new RoutePlan.Single(0);
            case VIEW, TEMPORARY -> refused("COPY from such a relation", "Use SELECT.");
        };
    }

    /** Whether every name in a statement that could be a relation's is none but an omnisharded or a system table's. */
    public static boolean namesOnlySystemTables(Tokens tokens, Shape shape, Environment environment) {
        for (int i = shape.firstToken(); i < shape.endToken(); i++) {
            if (tokens.isName(i) && environment.database().tables.mayHideRows(tokens.name(i))) {
                return false;
            }
            boolean opaque =
                    tokens.isName(i) && environment.database().functions.isOpaque(tokens.name(i));
            if (opaque) {
                return false;
            }
        }
        return true;
    }
}
