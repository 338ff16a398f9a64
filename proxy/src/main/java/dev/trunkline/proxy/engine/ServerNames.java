package dev.trunkline.proxy.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.frontend.Parse;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The names under which prepared statements live on servers, one per text and parameter types in the whole process; a
 * name is never used again for another text. Safe for any thread.
 */
public final class ServerNames {

    /** Texts remembered; a forgotten one gets a new name and is prepared once more. */
    private static final long MAX_BYTES = 64L << 20;

    private record Key(ByteSlice sql, ByteSlice typeOids) {}

    private final AtomicLong last = new AtomicLong();
    private final Cache<Key, String> names = Caffeine.newBuilder()
            .maximumWeight(MAX_BYTES)
            .weigher((Key key, String name) -> 128 + key.sql.length() + key.typeOids.length())
            .build();

    /** The server name of a statement. */
    String of(Parse parse) {
        return names.get(new Key(parse.sql(), parse.typeOids()), key -> "trunkline_" + last.incrementAndGet());
    }
}
