package dev.trunkline.routing;

import com.github.benmanes.caffeine.cache.Interner;
import java.util.List;
import java.util.Set;

/**
 * What of a session's state changes the meaning of its statements; immutable. A session keeps one object for as long
 * as nothing of it changes.
 *
 * @param standardConformingStrings the run-time parameter of that name
 * @param searchPath the schemas in which an unqualified name is looked up, in order; {@code $user} already replaced
 * @param temporaryTables names of temporary relations that the session has created: they hide others
 */
public record RoutingContext(boolean standardConformingStrings, List<String> searchPath, Set<String> temporaryTables) {

    /** A session in which nothing has been set: PostgreSQL's defaults, without a schema of the user's name. */
    public static final RoutingContext DEFAULT = new RoutingContext(true, List.of("public"), Set.of());

    public RoutingContext {
        searchPath = List.copyOf(searchPath);
        temporaryTables = Set.copyOf(temporaryTables);
    }

    private static final Interner<RoutingContext> INTERNER = Interner.newWeakInterner();

    /** The one object that stands for all that are equal to this: sessions alike then find plans without comparing. */
    public RoutingContext interned() {
        return INTERNER.intern(this);
    }
}
