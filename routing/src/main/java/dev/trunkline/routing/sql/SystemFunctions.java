package dev.trunkline.routing.sql;

import java.util.Set;

/** Functions of PostgreSQL that leave something behind in the session. */
final class SystemFunctions {

    private static final Set<String> SESSION_LOCKS = Set.of(
            "pg_advisory_lock", "pg_advisory_lock_shared", "pg_try_advisory_lock", "pg_try_advisory_lock_shared");
    private static final Set<String> SEQUENCES = Set.of("nextval", "setval", "currval", "lastval");

    private SystemFunctions() {}

    static boolean isSessionLock(ObjectName function) {
        return function.isSystem(function.name()) && SESSION_LOCKS.contains(function.name());
    }

    static boolean isSequence(ObjectName function) {
        return function.isSystem(function.name()) && SEQUENCES.contains(function.name());
    }

    static boolean isSetConfig(ObjectName function) {
        return function.isSystem("set_config");
    }
}
