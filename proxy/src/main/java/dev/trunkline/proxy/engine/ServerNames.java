package dev.trunkline.proxy.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.frontend.Parse;
import dev.trunkline.routing.RoutingContext;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The names under which prepared statements live on servers, one per text, parameter types and what else gives the text
 * its meaning, in the whole process; a name is never used again for another text. Safe for any thread.
 */
public final class ServerNames {

    /** Texts remembered; a forgotten one gets a new name and is prepared once more. */
    private static final long MAX_BYTES = 64L << 20;

    /** Under another search path the same text means other tables: PostgreSQL refuses to plan it anew if they differ. */
    private record Key(ByteSlice sql, ByteSlice typeOids, RoutingContext context) {}

    private final AtomicLong last = new AtomicLong();
    private final Cache<Key, String> names = Caffeine.newBuilder()
            .maximumWeight(MAX_BYTES)
            .weigher((Key key, String name) -> weight(key))
            .build();

    /**
     * A prepared statement.
     *
     * @param name on servers
     * @param bytes its memory, about
     */
    public record Named(String name, String sql, int bytes) {}

    /** Names given and not forgotten. */
    public long count() {
        return names.estimatedSize();
    }

    /** What they need in memory, about. */
    public long bytes() {
        return names.asMap().keySet().stream().mapToLong(ServerNames::weight).sum();
    }

    /** Some of them, in no order. */
    public List<Named> view(int limit) {
        return names.asMap().entrySet().stream()
                .limit(limit)
                .map(each -> new Named(each.getValue(), each.getKey().sql.toString(), weight(each.getKey())))
                .toList();
    }

    private static int weight(Key key) {
        return 128 + key.sql.length() + key.typeOids.length();
    }

    /** The server name of a statement that is parsed in a session's context. */
    String of(Parse parse, RoutingContext context) {
        return names.get(new Key(parse.sql(), parse.typeOids(), context), key -> "trunkline_" + last.incrementAndGet());
    }
}
