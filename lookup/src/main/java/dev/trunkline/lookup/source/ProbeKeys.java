package dev.trunkline.lookup.source;

import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Makes an array parameter of keys. */
final class ProbeKeys {

    private ProbeKeys() {}

    /** The keys as the client library takes an array of their type; those left out cannot be in any table. */
    static Object[] parameter(KeyType type, List<ShardingKey> keys) {
        return switch (type) {
            case BIGINT -> keys.stream().map(ShardingKey::longValue).toArray(Long[]::new);
            case UUID ->
                keys.stream()
                        .map(key -> new UUID(key.mostSignificant(), key.leastSignificant()))
                        .toArray(UUID[]::new);
            case VARCHAR ->
                keys.stream()
                        .filter(ProbeKeys::isStorable)
                        .map(ShardingKey::toString)
                        .toArray(String[]::new);
        };
    }

    /** PostgreSQL stores no zero byte and nothing that is not UTF-8, and refuses a whole array for one such text. */
    static boolean isStorable(ShardingKey key) {
        byte[] bytes = key.bytes();
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.indexOf('\0') < 0
                && Arrays.equals(bytes, Objects.requireNonNull(text).getBytes(StandardCharsets.UTF_8));
    }
}
