package dev.trunkline.lookup.map;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.DecodedKey;
import dev.trunkline.routing.key.KeyColumn;
import dev.trunkline.routing.key.KeyDecoder;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.PgType;
import dev.trunkline.routing.key.ShardingKey;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads a column of a lookup query, given as text, into its canonical form, by the same decoder that reads the keys of
 * statements. For one thread at a time.
 */
public final class CanonicalKey {

    private final KeyType type;
    private final KeyDecoder decoder;
    private final DecodedKey decoded = new DecodedKey();

    /** A reader of keys of one type. */
    public CanonicalKey(KeyType type) {
        this.type = type;
        decoder = KeyDecoder.compared(new KeyColumn(type, PgType.UNSPECIFIED, -1, false));
    }

    /** The key, or null when the text is not of the type. */
    public @Nullable ShardingKey parse(String text) {
        if (type == KeyType.VARCHAR) {
            return ShardingKey.ofText(text);
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            return switch (decoder.string(bytes, 0, bytes.length, decoded)) {
                case KEY -> decoded.toKey();
                case NULL, NO_ROW, UNKNOWN -> null;
            };
        } catch (PgException notOfTheType) {
            return null;
        }
    }
}
