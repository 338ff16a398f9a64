package dev.trunkline.bench;

import dev.trunkline.lookup.map.LookupMap;
import dev.trunkline.lookup.map.LookupMapBuilder;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.UUID;

/** Keys of 36 characters, spelled as a uuid is, and their map: four keys have one translation. */
final class Keys {

    private static final int CHILDREN = 4;

    private Keys() {}

    static byte[][] texts(int count) {
        Random random = new Random(1);
        byte[][] texts = new byte[count][];
        for (int i = 0; i < count; i++) {
            texts[i] = new UUID(random.nextLong(), random.nextLong()).toString().getBytes(StandardCharsets.US_ASCII);
        }
        return texts;
    }

    static LookupMap map(byte[][] texts) {
        LookupMapBuilder builder = LookupMapBuilder.of(KeyType.VARCHAR, Long.MAX_VALUE);
        for (int i = 0; i < texts.length; i++) {
            builder.put(key(texts[i]), key(texts[i - i % CHILDREN]));
        }
        return builder.build();
    }

    static LookupMap longs(int count) {
        LookupMapBuilder builder = LookupMapBuilder.of(KeyType.BIGINT, Long.MAX_VALUE);
        for (int i = 0; i < count; i++) {
            builder.put(ShardingKey.ofLong(i), ShardingKey.ofLong(i - i % CHILDREN));
        }
        return builder.build();
    }

    private static ShardingKey key(byte[] text) {
        return ShardingKey.ofText(text, 0, text.length);
    }
}
