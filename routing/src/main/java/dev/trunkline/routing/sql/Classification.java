package dev.trunkline.routing.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a statement is, as far as its tokens tell; equal for all statements of one shape. Immutable.
 *
 * @param kind what the engine makes of it; UNKNOWN also when PostgreSQL would refuse its syntax
 * @param definition what a DDL or utility statement works on; {@link Definition#NONE} for others
 * @param inner the statement within EXPLAIN, PREPARE, DECLARE, COPY (query), CREATE TABLE AS, CREATE VIEW; else null
 * @param functions functions called by name anywhere in it, each once: every name before a parenthesis that is no key
 *     word of the grammar, no alias and no table; the inner statement's included
 * @param rowLocks SELECT … FOR UPDATE, NO KEY UPDATE, SHARE or KEY SHARE occurs
 * @param executes EXPLAIN ANALYZE: the inner statement runs (also when an option leaves that open)
 * @param currentOf the cursor of WHERE CURRENT OF; else null
 */
public record Classification(
        StatementKind kind,
        Definition definition,
        @Nullable InnerStatement inner,
        List<ObjectName> functions,
        boolean rowLocks,
        boolean executes,
        @Nullable String currentOf) {

    /** Copies the list. */
    public Classification {
        functions = List.copyOf(functions);
    }

    /** Whether it takes a session-level advisory lock: its server connection must stay with the session. */
    public boolean takesSessionLock() {
        return functions.stream().anyMatch(SystemFunctions::isSessionLock);
    }

    /** Whether it uses a sequence by nextval, setval, currval or lastval. */
    public boolean usesSequence() {
        return functions.stream().anyMatch(SystemFunctions::isSequence);
    }

    /** Whether it calls set_config; see {@link SetConfigs}. */
    public boolean callsSetConfig() {
        return functions.stream().anyMatch(SystemFunctions::isSetConfig);
    }
}
