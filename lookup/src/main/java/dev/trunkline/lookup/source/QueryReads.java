package dev.trunkline.lookup.source;

import dev.trunkline.routing.catalog.QualifiedName;
import java.util.List;
import java.util.Set;

/**
 * What a lookup query rests on, through views down to tables.
 *
 * @param relations every relation that is read and is not of the system
 * @param notImmutable what it calls that may answer otherwise another time, or cannot be shown not to: functions that
 *     are not immutable or did not come with PostgreSQL, CURRENT_USER and its like; in order, empty if all is well
 */
public record QueryReads(Set<QualifiedName> relations, List<String> notImmutable) {

    /** Nothing is known. */
    public static final QueryReads NOTHING = new QueryReads(Set.of(), List.of());
}
