package dev.trunkline.lookup.source;

import dev.trunkline.lookup.map.LookupMap;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Future;
import java.util.List;

/**
 * Where the truth about lookups is read: a port. Everything runs on the event loop that owns the source.
 *
 * <p>Both reads see one snapshot that the server takes after {@code sending} has run. They fail with a
 * {@link SourceException} or with a {@link dev.trunkline.lookup.map.MapFault}.
 */
public interface LookupSource {

    /**
     * Reads a whole map.
     *
     * @param sending runs right before the query is sent; not at all if it does not come to that
     */
    Future<LookupMap> load(LookupQuery query, Runnable sending);

    /**
     * Reads the rows of single keys.
     *
     * @param keys each once, at least one
     * @param sending runs right before the query is sent; not at all if it does not come to that
     */
    Future<ProbeAnswer> probe(LookupQuery query, List<ShardingKey> keys, Runnable sending);

    /** Ends all connections; reads under way fail. */
    Future<Void> close();
}
