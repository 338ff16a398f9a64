package dev.trunkline.routing.plan;

import dev.trunkline.routing.tree.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the places in a statement at which sharding key values stand. */
final class KeyPlaces {

    private static final Set<String> INTEGERS = Set.of("smallint", "int2", "int", "integer", "int4", "bigint", "int8");
    private static final Set<String> TEXTS = Set.of("text", "varchar", "character varying");
    private static final Set<String> UUIDS = Set.of("uuid");
    private static final String SYSTEM_SCHEMA = "pg_catalog.";
    private static final String ARRAY = "[]";

    private KeyPlaces() {}

    /** The place of a value for a column of a class; null if it is neither a constant nor a parameter. */
    static @Nullable KeyRef value(Expression expression, ColumnClass columnClass) {
        return value(expression, columnClass, false);
    }

    private static @Nullable KeyRef value(Expression expression, ColumnClass columnClass, boolean cast) {
        if (expression instanceof Expression.Constant constant) {
            return new KeyRef.Constant(slot(constant), cast);
        }
        if (expression instanceof Expression.Parameter parameter) {
            return new KeyRef.Parameter(parameter.number(), cast);
        }
        if (expression == Expression.Fixed.NULL) {
            return KeyRef.Fixed.NULL;
        }
        if (expression instanceof Expression.Cast outer && keepsKey(outer.type(), columnClass)) {
            return value(outer.operand(), columnClass, true);
        }
        return null;
    }

    private static int slot(Expression.Constant constant) {
        return constant.negative() ? ~constant.slot() : constant.slot();
    }

    /** The keys of {@code = ANY (array)}. */
    static KeySet array(Expression array, ColumnClass columnClass) {
        if (array instanceof Expression.Parameter parameter) {
            return KeySet.of(new KeyRef.ArrayParameter(parameter.number()));
        }
        if (array instanceof Expression.Constant constant && !constant.negative()) {
            return KeySet.of(new KeyRef.ArrayConstant(slot(constant)));
        }
        if (array == Expression.Fixed.NULL) {
            return KeySet.Fixed.NONE;
        }
        if (array instanceof Expression.Cast cast && isArrayOf(cast.type(), columnClass)) {
            return array(cast.operand(), columnClass);
        }
        return array instanceof Expression.Array list ? elements(list, columnClass) : KeySet.Fixed.ALL;
    }

    private static KeySet elements(Expression.Array array, ColumnClass columnClass) {
        List<KeyRef> refs = new ArrayList<>();
        for (Expression item : array.items()) {
            KeyRef ref = value(item, columnClass);
            if (ref == null) {
                return KeySet.Fixed.ALL;
            }
            refs.add(ref);
        }
        return refs.isEmpty() ? KeySet.Fixed.NONE : new KeySet.Values(refs);
    }

    private static boolean isArrayOf(String type, ColumnClass columnClass) {
        return type.endsWith(ARRAY) && keepsKey(type.substring(0, type.length() - ARRAY.length()), columnClass);
    }

    /** A cast to the type yields the same key, if the value is of the key's family or of no type yet. */
    private static boolean keepsKey(String type, ColumnClass columnClass) {
        String name = type.startsWith(SYSTEM_SCHEMA) ? type.substring(SYSTEM_SCHEMA.length()) : type;
        return switch (columnClass) {
            case INTEGER -> INTEGERS.contains(name);
            case TEXT, BLANK_PADDED -> TEXTS.contains(name);
            case UUID -> UUIDS.contains(name);
            case OTHER -> false;
        };
    }
}
