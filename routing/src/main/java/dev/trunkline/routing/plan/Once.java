package dev.trunkline.routing.plan;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.catalog.Column;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a write to omnisharded tables whose values one shard computes for all: values that would be others on
 * each shard (a number of a sequence, a random one, the time) but need not be computed more than once. Immutable.
 */
public final class Once {

    /** Functions that yield one value in the whole statement; PostgreSQL's key words among them. */
    private static final Set<String> TIMES = Set.of(
            "now",
            "transaction_timestamp",
            "statement_timestamp",
            "current_date",
            "current_time",
            "current_timestamp",
            "localtime",
            "localtimestamp");

    /** What the call of a function is here. */
    public enum Call {
        /** The same arguments yield the same on every shard. */
        EQUAL,
        /** One value in the whole statement. */
        TIME,
        /** Another value each time. */
        VALUE,
        /** One that nobody may call in the statement's place. */
        OTHER
    }

    /**
     * The table that the statement itself writes.
     *
     * @param columns all of them, in order; empty if nobody knows them, or if it is not that simple
     * @param filled of an INSERT the columns that get values, in the order of the values
     */
    public record Target(List<Column> columns, List<String> filled) {

        static final Target NONE = new Target(List.of(), List.of());

        Target filling(List<String> names) {
            return new Target(columns, names);
        }

        /** The column of a name; null if there is none. */
        public @Nullable Column column(String name) {
            return columns.stream()
                    .filter(column -> column.name().equals(name))
                    .findFirst()
                    .orElse(null);
        }
    }

    private final PgException refusal;
    private final Target target;
    private final Functions functions;
    private final List<String> searchPath;

    Once(PgException refusal, Target target, Functions functions, List<String> searchPath) {
        this.refusal = refusal;
        this.target = target;
        this.functions = functions;
        this.searchPath = searchPath;
    }

    /** What is said where the values cannot be computed once: 0A000. */
    public PgException refusal() {
        return refusal;
    }

    /** The table that the statement itself writes. */
    public Target target() {
        return target;
    }

    /**
     * What the call of a function in the statement is.
     *
     * @param schema null when the call is not qualified
     */
    public Call call(@Nullable String schema, String name) {
        FunctionUse use = functions.use(schema, name, searchPath);
        return use.isEqualEverywhere() ? Call.EQUAL : call(use, name);
    }

    static Call call(FunctionUse use, String name) {
        if (use == FunctionUse.VOLATILE) {
            return TIMES.contains(name) ? Call.TIME : EffectFunctions.hasEffect(name) ? Call.OTHER : Call.VALUE;
        }
        return use == FunctionUse.FOREIGN_VOLATILE ? Call.VALUE : Call.OTHER;
    }

    /**
     * The expression of a column's volatile default, to be computed in a session of this search path; null if it cannot
     * be. Text that is not ASCII is left alone: it would have to be sent in the encoding of the session.
     */
    public @Nullable String expression(Column column, boolean standardConformingStrings) {
        String text = column.volatileExpression();
        boolean read = text != null
                && text.chars().allMatch(character -> character < 128)
                && (standardConformingStrings || text.indexOf('\\') < 0)
                && DefaultText.functions(text).stream().noneMatch(this::isHidden);
        return read ? text : null;
    }

    /** A function of the search path may stand before PostgreSQL's, which the text means. */
    private boolean isHidden(String function) {
        return functions.use(null, function, searchPath).isForeign()
                && functions.use("pg_catalog", function, searchPath) != FunctionUse.UNKNOWN;
    }

    /** Whether the column's default is one value in the whole statement. */
    public boolean isOfTime(Column column) {
        return DefaultText.isOfTime(column);
    }

    static boolean isTime(String name) {
        return TIMES.contains(name);
    }
}
