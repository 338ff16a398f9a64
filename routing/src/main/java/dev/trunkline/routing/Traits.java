package dev.trunkline.routing;

import dev.trunkline.routing.sql.StatementKind;

/** What is known of every statement of one shape; the components are explained at {@link Statement}. */
record Traits(
        StatementKind kind,
        boolean readOnly,
        boolean writesRows,
        boolean needsParameters,
        long lookupWrites,
        boolean lookupInsertOnly,
        boolean touchesSharded,
        boolean writesOmnisharded,
        boolean ddl,
        Pin pin,
        boolean unknownRelation,
        boolean forUpdate) {}
