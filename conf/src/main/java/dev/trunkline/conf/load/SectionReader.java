package dev.trunkline.conf.load;

import dev.trunkline.conf.Secret;
import dev.trunkline.conf.ShardMapping;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads one object of the file into one record. */
final class SectionReader<T extends Record> {

    private final RecordReader reader;
    private final Class<T> type;
    private final Map<?, ?> object;
    private final String place;
    private final Inheritance inheritance;
    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

    SectionReader(RecordReader reader, Class<T> type, Map<?, ?> object, String place, Inheritance inheritance) {
        this.reader = reader;
        this.type = type;
        this.object = object;
        this.place = place;
        this.inheritance = inheritance;
    }

    Section<T> read() {
        int faultsBefore = reader.faults().count();
        List<Key> keys = Key.of(type);
        reader.rejectUnknownKeys(keys, object, place);
        keys.forEach(this::readKey);
        boolean isSound = reader.faults().count() == faultsBefore;
        return new Section<>(place, values, isSound ? construct() : null);
    }

    private void readKey(Key key) {
        Object json = object.get(key.name());
        if (json != null) {
            values.put(key.name(), present(key, json, Section.place(place, key.name())));
        } else if (object.containsKey(key.name()) && !acceptsNull(key)) {
            fault(Section.place(place, key.name()), "must not be null");
        } else if (key.isRequired()) {
            fault(place, "\"" + key.name() + "\" is required");
        } else {
            values.put(key.name(), absent(key));
        }
    }

    private void fault(String where, String problem) {
        reader.faults().add(where, problem);
    }

    /** Null switches off what can be off. */
    private static boolean acceptsNull(Key key) {
        return key.isNullable() || isOptionalList(key) || key.defaultsTo() != null || isOffByZero(key);
    }

    private static boolean isOptionalList(Key key) {
        return key.isList() && !key.isRequired();
    }

    private static boolean isOffByZero(Key key) {
        return key.type() == Duration.class
                && key.range() != null
                && key.range().min() == 0;
    }

    private @Nullable Object absent(Key key) {
        if (key.defaultsTo() != null) {
            return inheritance.value(key.defaultsTo(), values);
        }
        if (key.isList()) {
            return List.of();
        }
        boolean isNull = object.containsKey(key.name());
        return isNull && isOffByZero(key) ? Duration.ZERO : reader.scalars().defaultOf(key);
    }

    private @Nullable Object present(Key key, Object json, String keyPlace) {
        Object value =
                key.isList() ? elements(key, json, keyPlace) : reader.scalars().read(key, json, keyPlace);
        if (value != null) {
            UnbuiltFeatures.missingFor(type, key.name(), value)
                    .ifPresent(missing -> fault(keyPlace, "not supported yet: " + missing));
        }
        return value;
    }

    private List<Object> elements(Key key, Object json, String keyPlace) {
        if (key.type() == ShardMapping.class) {
            return records(ShardMapping.class, json, keyPlace);
        }
        if (key.type() == Secret.class && !(json instanceof List)) {
            return oneSecret(key, json, keyPlace);
        }
        if (json instanceof List<?> list && list.isEmpty()) {
            fault(keyPlace, "must not be empty");
        }
        return scalars(key, reader.list(json, keyPlace), keyPlace);
    }

    /** One password may stand without the brackets of a list. */
    private List<Object> oneSecret(Key key, Object json, String keyPlace) {
        List<Object> secrets = new ArrayList<>();
        add(secrets, reader.scalars().read(key, json, keyPlace));
        return secrets;
    }

    private <R extends Record> List<Object> records(Class<R> element, Object json, String keyPlace) {
        List<Object> records = new ArrayList<>();
        for (Section<R> section : reader.readList(element, json, keyPlace, Inheritance.NONE)) {
            add(records, section.record());
        }
        return records;
    }

    private List<Object> scalars(Key key, List<? extends @Nullable Object> list, String keyPlace) {
        List<Object> scalars = new ArrayList<>();
        int index = 0;
        for (Object element : list) {
            String elementPlace = Section.place(keyPlace, index++);
            if (element == null) {
                fault(elementPlace, "must not be null");
            } else {
                add(scalars, reader.scalars().read(key, element, elementPlace));
            }
        }
        return scalars;
    }

    private static void add(List<Object> list, @Nullable Object value) {
        if (value != null) {
            list.add(value);
        }
    }

    private T construct() {
        Class<?>[] types = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types)
                    .newInstance(values.values().toArray());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a record's own constructor must take its components: " + type, e);
        }
    }
}
