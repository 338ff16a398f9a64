package dev.trunkline.lookup.source;

import dev.trunkline.routing.key.KeyType;
import org.jspecify.annotations.Nullable;

/**
 * The first column of a lookup query as the server sees it.
 *
 * @param type the type's name
 * @param deterministic whether equal means equal bytes; null for a type without collation
 */
record KeyColumnType(String type, @Nullable Boolean deterministic) {

    /**
     * Whether {@code k = ANY(array of keys)} finds exactly the rows that a reload would give for these keys. Of a text
     * column under an integer rule it would not: '007' is the key 7 there.
     */
    boolean isProbeable(KeyType rule) {
        return switch (rule) {
            case BIGINT -> type.equals("bigint") || type.equals("integer") || type.equals("smallint");
            case UUID -> type.equals("uuid");
            case VARCHAR ->
                (type.equals("text") || type.equals("character varying")) && Boolean.TRUE.equals(deterministic);
        };
    }
}
