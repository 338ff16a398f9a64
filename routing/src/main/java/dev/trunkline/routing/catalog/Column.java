package dev.trunkline.routing.catalog;

import org.jspecify.annotations.Nullable;

/**
 * A column of a relation.
 *
 * @param name exact
 * @param position attnum, from 1; dropped columns leave gaps
 * @param typeOid the type; for a domain its base type
 * @param typmod atttypmod, -1 = none
 * @param generated GENERATED ALWAYS AS (expression) STORED or VIRTUAL: not a target of INSERT without a column list
 * @param identityAlways GENERATED ALWAYS AS IDENTITY
 * @param hasDefault a default expression or identity exists
 * @param volatileDefault the default is an identity, a sequence or an expression that is not immutable
 * @param deterministicCollation false only for columns with a non-deterministic collation
 * @param unique a valid, immediate index over all rows makes the values of this column alone unique
 * @param volatileExpression the volatile default as SQL that means the same under any search path, for an identity the
 *     call of nextval; null if there is none, or if it calls functions of users that may read or write tables
 */
public record Column(
        String name,
        int position,
        int typeOid,
        int typmod,
        boolean generated,
        boolean identityAlways,
        boolean hasDefault,
        boolean volatileDefault,
        boolean deterministicCollation,
        boolean unique,
        @Nullable String volatileExpression) {

    /** A column whose volatile default, if it has one, nobody may compute in the table's place. */
    public Column(
            String name,
            int position,
            int typeOid,
            int typmod,
            boolean generated,
            boolean identityAlways,
            boolean hasDefault,
            boolean volatileDefault,
            boolean deterministicCollation,
            boolean unique) {
        this(
                name,
                position,
                typeOid,
                typmod,
                generated,
                identityAlways,
                hasDefault,
                volatileDefault,
                deterministicCollation,
                unique,
                null);
    }
}
