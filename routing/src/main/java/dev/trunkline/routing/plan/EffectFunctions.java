package dev.trunkline.routing.plan;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.sql.ObjectName;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Functions of PostgreSQL that do more than compute: what each means on a database of several shards. */
public final class EffectFunctions {

    private static final Set<String> SEQUENCES = Set.of("nextval", "currval", "lastval");
    private static final Set<String> TRANSACTION_LOCKS = Set.of(
            "pg_advisory_xact_lock",
            "pg_advisory_xact_lock_shared",
            "pg_try_advisory_xact_lock",
            "pg_try_advisory_xact_lock_shared");
    private static final Set<String> SESSION_LOCKS = Set.of(
            "pg_advisory_lock",
            "pg_advisory_lock_shared",
            "pg_try_advisory_lock",
            "pg_try_advisory_lock_shared",
            "pg_advisory_unlock",
            "pg_advisory_unlock_shared");
    private static final Set<String> OTHERS =
            Set.of("set_config", "setval", "pg_notify", "pg_advisory_unlock_all", "pg_export_snapshot", "lo_create");
    /** They take the text of a query, or the name of a table, as a value. */
    private static final Set<String> READERS = Set.of(
            "cursor_to_xml",
            "cursor_to_xmlschema",
            "database_to_xml",
            "database_to_xml_and_xmlschema",
            "query_to_xml",
            "query_to_xml_and_xmlschema",
            "query_to_xmlschema",
            "schema_to_xml",
            "schema_to_xml_and_xmlschema",
            "table_to_xml",
            "table_to_xml_and_xmlschema",
            "ts_rewrite",
            "ts_stat");

    private EffectFunctions() {}

    /** Why a statement that calls these functions is refused; null if it is not. */
    public static @Nullable PgException refusal(List<ObjectName> functions) {
        for (ObjectName function : functions) {
            PgException refusal = isSystem(function) ? refusal(function.name()) : null;
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    private static @Nullable PgException refusal(String name) {
        if (SESSION_LOCKS.contains(name)) {
            return RoutingErrors.notOverSeveralShards(
                    "a session-level advisory lock", "Use pg_advisory_xact_lock in a transaction.");
        }
        if (READERS.contains(name)) {
            return RoutingErrors.notOverSeveralShards("function \"" + name + "\"", "Query the table directly.");
        }
        if (name.startsWith("lo_") || name.equals("loread") || name.equals("lowrite")) {
            return RoutingErrors.notOverSeveralShards("large objects", "Store the data in a column of type bytea.");
        }
        return switch (name) {
            case "pg_notify" ->
                RoutingErrors.notOverSeveralShards("pg_notify", "Use NOTIFY, which goes to the shard of its channel.");
            case "pg_export_snapshot" ->
                RoutingErrors.notOverSeveralShards("pg_export_snapshot", "Use one transaction on one connection.");
            default -> null;
        };
    }

    /** They work on one copy of something, which must be the same each time: shard 0's. */
    public static boolean needFirstShard(List<ObjectName> functions) {
        return functions.stream()
                .anyMatch(function -> isSystem(function)
                        && (SEQUENCES.contains(function.name()) || TRANSACTION_LOCKS.contains(function.name())));
    }

    /** They take a transaction-level advisory lock. */
    public static boolean lock(List<ObjectName> functions) {
        return functions.stream()
                .anyMatch(function -> isSystem(function) && TRANSACTION_LOCKS.contains(function.name()));
    }

    /** They set a sequence, which each shard has. */
    public static boolean setSequence(List<ObjectName> functions) {
        return functions.stream()
                .anyMatch(function -> isSystem(function) && function.name().equals("setval"));
    }

    /** It does more than yield a value, and not on one shard alone. */
    static boolean hasEffect(String name) {
        return !SEQUENCES.contains(name)
                && (TRANSACTION_LOCKS.contains(name)
                        || SESSION_LOCKS.contains(name)
                        || OTHERS.contains(name)
                        || READERS.contains(name)
                        || name.startsWith("lo_")
                        || name.equals("lowrite"));
    }

    /** None of them changes anything. */
    public static boolean onlyRead(List<ObjectName> functions) {
        return functions.stream().noneMatch(EffectFunctions::changesSomething);
    }

    /** None of them changes rows of tables. */
    public static boolean changeNoRows(List<ObjectName> functions) {
        return functions.stream().allMatch(EffectFunctions::isKnown);
    }

    /** Nobody knows what a function of users does, unless the catalog says so. */
    private static boolean isKnown(ObjectName function) {
        return Builtins.function(function.name()) != null && isSystem(function);
    }

    private static boolean changesSomething(ObjectName function) {
        String name = function.name();
        if (!isKnown(function)) {
            return true;
        }
        return SEQUENCES.contains(name)
                || TRANSACTION_LOCKS.contains(name)
                || SESSION_LOCKS.contains(name)
                || OTHERS.contains(name)
                || name.startsWith("lo_")
                || name.equals("lowrite");
    }

    private static boolean isSystem(ObjectName function) {
        return function.schema() == null || function.schema().equals("pg_catalog");
    }
}
