package dev.trunkline.routing.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found out about the statements of one shape.
 *
 * @param lookupWrites bit i: it may write a relation behind lookup i
 * @param lookupInsertOnly it is proven that it only adds entries for keys that had none
 * @param touchesSharded it reads or writes a sharded table
 * @param writesOmnisharded it writes an omnisharded table
 * @param unknownRelation it names a relation or function that neither the catalog nor PostgreSQL has
 * @param impliedColumns the columns of an INSERT without a column list; else null
 */
public record Planned(
        RoutePlan plan,
        long lookupWrites,
        boolean lookupInsertOnly,
        boolean touchesSharded,
        boolean writesOmnisharded,
        boolean unknownRelation,
        @Nullable List<String> impliedColumns) {

    /** A plan of a statement that touches no table. */
    public static Planned of(RoutePlan plan) {
        return new Planned(plan, 0, false, false, false, false, null);
    }
}
