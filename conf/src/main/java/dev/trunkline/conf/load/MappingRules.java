package dev.trunkline.conf.load;

import dev.trunkline.conf.KeyDataType;
import dev.trunkline.conf.ShardMapping;
import dev.trunkline.conf.ShardedTable;
import dev.trunkline.conf.load.Draft.Placed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rules of a shard mapping: values fit the data type, each has one shard, and shards exist. A value in a list that also
 * lies in a range is fine: the list decides.
 */
final class MappingRules {

    private final KeyDataType type;
    private final Faults faults;
    private final Map<String, String> valuePlaces = new HashMap<>();
    private final List<Interval> intervals = new ArrayList<>();
    private @Nullable String defaultPlace;

    private MappingRules(KeyDataType type, Faults faults) {
        this.type = type;
        this.faults = faults;
    }

    private record Interval(
            String place, @Nullable String start, @Nullable String end) {}

    static void check(Draft draft, Faults faults) {
        for (Placed<ShardedTable> table : Draft.sound(draft.shardedTables())) {
            MappingRules rules = new MappingRules(table.record().dataType(), faults);
            int index = 0;
            for (ShardMapping entry : table.record().mapping()) {
                String place = Section.place(table.place("mapping"), index++);
                rules.entry(entry, place);
                requireShard(draft, table.record().database(), entry.shard(), place, faults);
            }
            rules.rejectOverlaps();
        }
    }

    private static void requireShard(Draft draft, String database, int shard, String place, Faults faults) {
        boolean isKnown = draft.hasAllServers() && draft.databaseNames().contains(database);
        if (isKnown && shard >= draft.shardCount(database)) {
            faults.add(
                    Section.place(place, "shard"),
                    "must be less than the number of shards of \"" + database + "\" (" + draft.shardCount(database)
                            + "), not " + shard);
        }
    }

    private void entry(ShardMapping entry, String place) {
        if (entry.isDefault()) {
            onlyDefault(place);
        } else if (!entry.isRange()) {
            values(entry.values(), Section.place(place, "values"));
        } else if (entry.values().isEmpty()) {
            range(entry, place);
        } else {
            faults.add(place, "must have either \"values\" or \"start\" and \"end\", not both");
        }
    }

    private void onlyDefault(String place) {
        if (defaultPlace == null) {
            defaultPlace = place;
        } else {
            faults.add(place, "there is already an entry for all other values (" + defaultPlace + ")");
        }
    }

    private void values(List<String> values, String place) {
        int index = 0;
        for (String text : values) {
            String valuePlace = Section.place(place, index++);
            String value = canonical(text, valuePlace);
            String first = value == null ? null : valuePlaces.putIfAbsent(value, valuePlace);
            if (first != null) {
                faults.add(valuePlace, "value \"" + text + "\" is already listed (" + first + ")");
            }
        }
    }

    private void range(ShardMapping entry, String place) {
        int faultsBefore = faults.count();
        String start = entry.start() == null ? null : canonical(entry.start(), Section.place(place, "start"));
        String end = entry.end() == null ? null : canonical(entry.end(), Section.place(place, "end"));
        if (faults.count() > faultsBefore) {
            return;
        }
        if (start != null && end != null && KeyValues.order(type).compare(start, end) >= 0) {
            faults.add(place, "the range is empty: \"start\" must be less than \"end\"");
            return;
        }
        intervals.add(new Interval(place, start, end));
    }

    private @Nullable String canonical(String text, String place) {
        String value = KeyValues.canonical(type, text);
        if (value == null) {
            faults.add(place, "\"" + text + "\" is not a " + type.name().toLowerCase(Locale.ROOT));
        }
        return value;
    }

    /** Sorted by start, ranges overlap if and only if one reaches beyond the start of the next one. */
    private void rejectOverlaps() {
        List<Interval> sorted = new ArrayList<>(intervals);
        sorted.sort(Comparator.comparing(Interval::start, Comparator.nullsFirst(KeyValues.order(type))));
        for (int i = 1; i < sorted.size(); i++) {
            Interval left = sorted.get(i - 1);
            Interval right = sorted.get(i);
            if (reachesBeyond(left.end(), right.start())) {
                faults.add(right.place(), "overlaps with " + left.place());
            }
        }
    }

    private boolean reachesBeyond(@Nullable String end, @Nullable String start) {
        return end == null || start == null || KeyValues.order(type).compare(end, start) > 0;
    }

    /** The mapping with every value in its one spelling; only for a mapping that keeps the rules. */
    static List<ShardMapping> canonical(KeyDataType type, List<ShardMapping> mapping) {
        return mapping.stream()
                .map(entry -> new ShardMapping(
                        entry.values().stream().map(value -> valid(type, value)).toList(),
                        entry.start() == null ? null : valid(type, entry.start()),
                        entry.end() == null ? null : valid(type, entry.end()),
                        entry.shard()))
                .toList();
    }

    private static String valid(KeyDataType type, String text) {
        String value = KeyValues.canonical(type, text);
        if (value == null) {
            throw new IllegalStateException("a checked mapping holds a value that does not fit its data type");
        }
        return value;
    }
}
