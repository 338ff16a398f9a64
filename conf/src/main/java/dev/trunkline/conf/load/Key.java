package dev.trunkline.conf.load;

import dev.trunkline.conf.Default;
import dev.trunkline.conf.DefaultsTo;
import dev.trunkline.conf.KeyValue;
import dev.trunkline.conf.Range;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A key of the file: what the component of its section's record says about it.
 *
 * @param name the key in snake_case
 * @param type the component's type, or the element's for a list
 * @param isList the key holds a list
 * @param isNullable null is a value
 * @param isKeyValue it holds sharding key values
 * @param defaultText the default as the file spells it; null = none
 * @param defaultsTo the key whose value it takes over; null = none
 * @param range accepted numbers; null = not a number
 */
record Key(
        String name,
        Class<?> type,
        boolean isList,
        boolean isNullable,
        boolean isKeyValue,
        @Nullable String defaultText,
        @Nullable String defaultsTo,
        @Nullable Range range) {

    private static final Pattern CAPITAL = Pattern.compile("(?=[A-Z])");

    /** The keys of a section, in the order of its record. */
    static List<Key> of(Class<? extends Record> section) {
        return Arrays.stream(section.getRecordComponents()).map(Key::of).toList();
    }

    /** The file must have it. */
    boolean isRequired() {
        return defaultText == null && defaultsTo == null && !isNullable;
    }

    private static Key of(RecordComponent component) {
        boolean isList = component.getType() == List.class;
        Default byDefault = component.getAnnotation(Default.class);
        DefaultsTo defaultsTo = component.getAnnotation(DefaultsTo.class);
        return new Key(
                CAPITAL.matcher(component.getName()).replaceAll("_").toLowerCase(Locale.ROOT),
                isList ? elementType(component) : component.getType(),
                isList,
                component.getAnnotatedType().isAnnotationPresent(Nullable.class),
                component.isAnnotationPresent(KeyValue.class),
                byDefault == null ? null : byDefault.value(),
                defaultsTo == null ? null : defaultsTo.value(),
                component.getAnnotation(Range.class));
    }

    private static Class<?> elementType(RecordComponent list) {
        return (Class<?>) ((ParameterizedType) list.getGenericType()).getActualTypeArguments()[0];
    }
}
