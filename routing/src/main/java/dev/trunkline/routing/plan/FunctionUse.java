package dev.trunkline.routing.plan;

/** What the call of a function means to routing. */
enum FunctionUse {
    /** The same arguments yield the same everywhere, and it reads no tables. */
    EQUAL,
    /** It reads no tables, but may yield something else on every shard or each time. */
    VOLATILE,
    /** An aggregate of PostgreSQL that does not depend on the order of rows. */
    AGGREGATE,
    /** An aggregate of PostgreSQL whose result depends on the order of rows. */
    ORDERED_AGGREGATE,
    /** A window function of PostgreSQL. */
    WINDOW,
    /** Of an extension, or immutable: it reads no tables, but may be an aggregate. */
    FOREIGN_EQUAL,
    /** Of an extension and not immutable. */
    FOREIGN_VOLATILE,
    /** Written by users and not immutable: what tables it reads nobody can tell. */
    OPAQUE,
    /** Neither PostgreSQL nor the catalog knows it. */
    UNKNOWN;

    boolean isAggregate() {
        return this == AGGREGATE || this == ORDERED_AGGREGATE;
    }

    /** It may be an aggregate that we do not know as one. */
    boolean mayAggregate() {
        return this == FOREIGN_EQUAL || this == FOREIGN_VOLATILE || this == UNKNOWN;
    }

    /** It does not come with PostgreSQL: what it does is only what it says of itself. */
    boolean isForeign() {
        return this == FOREIGN_EQUAL || this == FOREIGN_VOLATILE || this == OPAQUE || this == UNKNOWN;
    }

    /** What it computes may be stored on every shard. */
    boolean isEqualEverywhere() {
        return this == EQUAL || this == AGGREGATE || this == FOREIGN_EQUAL;
    }
}
