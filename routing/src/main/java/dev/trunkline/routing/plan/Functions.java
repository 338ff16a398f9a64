package dev.trunkline.routing.plan;

import dev.trunkline.routing.catalog.Catalog;
import dev.trunkline.routing.catalog.Function;
import dev.trunkline.routing.catalog.QualifiedName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks up functions: those of the catalog before those of PostgreSQL, since an overload may win. Immutable. */
final class Functions {

    private final Catalog catalog;
    private final Map<String, FunctionUse> worstByName = new HashMap<>();

    Functions(Catalog catalog) {
        this.catalog = catalog;
        for (Function function : catalog.functions().values()) {
            worstByName.merge(function.name().name(), use(function), Functions::worse);
        }
    }

    /**
     * What the call of a function means.
     *
     * @param schema null when the call is not qualified
     */
    FunctionUse use(@Nullable String schema, String name, List<String> searchPath) {
        if (schema != null && !schema.equals("pg_catalog")) {
            Function function = catalog.functions().get(new QualifiedName(schema, name));
            return function == null ? FunctionUse.UNKNOWN : use(function);
        }
        FunctionUse builtin = builtin(name);
        if (schema != null) {
            return builtin;
        }
        FunctionUse user = worstByName.get(name);
        if (user == null || searchPath.stream().noneMatch(path -> isIn(path, name))) {
            return builtin;
        }
        return builtin == FunctionUse.UNKNOWN ? user : worse(user, builtin);
    }

    private boolean isIn(String schema, String name) {
        return catalog.functions().containsKey(new QualifiedName(schema, name));
    }

    /** Whether some function of this name, in whatever schema, may read tables. */
    boolean isOpaque(String name) {
        return worstByName.get(name) == FunctionUse.OPAQUE;
    }

    /** The worst that any function of this name may mean, wherever it stands. */
    FunctionUse use(QualifiedName name) {
        Function function = catalog.functions().get(name);
        return function == null ? FunctionUse.UNKNOWN : use(function);
    }

    private static FunctionUse builtin(String name) {
        Builtins.Function function = Builtins.function(name);
        if (function == null) {
            return FunctionUse.UNKNOWN;
        }
        if (function.window()) {
            return FunctionUse.WINDOW;
        }
        if (function.aggregate()) {
            return function.equal() ? FunctionUse.AGGREGATE : FunctionUse.ORDERED_AGGREGATE;
        }
        return function.equal() ? FunctionUse.EQUAL : FunctionUse.VOLATILE;
    }

    private static FunctionUse use(Function function) {
        if (function.immutable()) {
            return FunctionUse.FOREIGN_EQUAL;
        }
        return function.extension() ? FunctionUse.FOREIGN_VOLATILE : FunctionUse.OPAQUE;
    }

    private static FunctionUse worse(FunctionUse one, FunctionUse other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
