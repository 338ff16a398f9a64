package dev.trunkline.conf.load;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was read of one object of the file.
 *
 * @param place its path
 * @param values its keys' values as far as they are valid, defaults filled in
 * @param record the record of them; null when a key has a fault
 */
record Section<T extends Record>(
        String place,
        Map<String, @Nullable Object> values,
        @Nullable T record) {

    /** The path of one of its keys. */
    String place(String key) {
        return place(place, key);
    }

    static String place(String section, String key) {
        return section.isEmpty() ? key : section + "." + key;
    }

    static String place(String list, int index) {
        return list + "[" + index + "]";
    }
}
