package dev.trunkline.conf;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shard of a list of key values, of a range of them, or of all others. Values are spelled canonically by the
 * rule's data type: an integer in decimal, a uuid in lower case with hyphens, a text as it is.
 *
 * @param values the values; empty for a range and for the default
 * @param start first value of a range; null = open
 * @param end first value behind a range; null = open
 * @param shard where they live
 */
public record ShardMapping(
        @KeyValue @Default("[]") List<String> values,
        @KeyValue @Nullable String start,
        @KeyValue @Nullable String end,
        @Range(max = 65535) int shard) {

    public ShardMapping {
        values = List.copyOf(values);
    }

    /** The entry takes every value that no list and no range has. */
    public boolean isDefault() {
        return values.isEmpty() && start == null && end == null;
    }

    /** The entry takes the values between its ends. */
    public boolean isRange() {
        return start != null || end != null;
    }
}
