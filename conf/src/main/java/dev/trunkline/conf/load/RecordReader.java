package dev.trunkline.conf.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects of the file into records by what {@link Key} finds on their components, so that a new setting is one
 * line in a record.
 */
final class RecordReader {

    private final ValueReader scalars;
    private final Faults faults;

    RecordReader(ValueReader scalars, Faults faults) {
        this.scalars = scalars;
        this.faults = faults;
    }

    ValueReader scalars() {
        return scalars;
    }

    Faults faults() {
        return faults;
    }

    /** The section; its record is null when it has a fault. */
    <T extends Record> Section<T> read(Class<T> type, @Nullable Object json, String place, Inheritance inheritance) {
        if (json instanceof Map<?, ?> object) {
            return new SectionReader<>(this, type, object, place, inheritance).read();
        }
        faults.add(place, "must be an object, not " + ValueReader.describe(json));
        return new Section<>(place, Map.of(), null);
    }

    /** The sections of a list; empty when it is absent. */
    <T extends Record> List<Section<T>> readList(
            Class<T> type, @Nullable Object json, String place, Inheritance inheritance) {
        List<Section<T>> sections = new ArrayList<>();
        for (Object element : list(json, place)) {
            sections.add(read(type, element, Section.place(place, sections.size()), inheritance));
        }
        return sections;
    }

    /** The elements of a list; none when it is absent or is not a list, which is recorded. */
    List<? extends @Nullable Object> list(@Nullable Object json, String place) {
        if (json == null) {
            return List.of();
        }
        if (json instanceof List<?> list) {
            return list;
        }
        faults.add(place, "must be a list, not " + ValueReader.describe(json));
        return List.of();
    }

    void rejectUnknownKeys(List<Key> keys, Map<?, ?> object, String place) {
        List<String> known = keys.stream().map(Key::name).toList();
        for (Object key : object.keySet()) {
            String name = String.valueOf(key);
            if (!known.contains(name)) {
                faults.add(Section.place(place, name), "unknown key" + Suggestion.clause(name, known));
            }
        }
    }
}
