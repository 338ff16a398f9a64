package dev.trunkline.conf.load;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers the value that a key takes over from another one when it is absent itself. */
interface Inheritance {

    /** Nothing to take over. */
    Inheritance NONE = (source, values) -> null;

    /**
     * The value to take over, or null for none.
     *
     * @param source what {@code DefaultsTo} names
     * @param values the values of the section that were read before
     */
    @Nullable
    Object value(String source, Map<String, @Nullable Object> values);
}
