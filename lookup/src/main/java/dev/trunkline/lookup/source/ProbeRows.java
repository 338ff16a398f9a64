package dev.trunkline.lookup.source;

import dev.trunkline.lookup.map.MapFault;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.sqlclient.Row;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sorts the rows of a probe by key; a fault of one key does not touch the others. */
final class ProbeRows {

    private final RowReader reader;
    private final Set<ShardingKey> asked;
    private final Map<ShardingKey, ShardingKey> found = new HashMap<>();
    private final Map<ShardingKey, MapFault> faults = new HashMap<>();

    ProbeRows(LookupQuery query, List<ShardingKey> keys) {
        reader = new RowReader(query);
        asked = new HashSet<>(keys);
    }

    /** Takes a row of two text columns; one of a key that was not asked for is of no interest. */
    void add(Row row) {
        ShardingKey key = reader.key(row.getString(0));
        if (key == null || !asked.contains(key)) {
            return;
        }
        try {
            ShardingKey value = reader.value(key, row.getString(1));
            ShardingKey present = found.putIfAbsent(key, value);
            if (present != null && !present.equals(value)) {
                faults.put(key, MapFault.twoValues(key, present, value));
            }
        } catch (MapFault fault) {
            faults.put(key, fault);
        }
    }

    ProbeAnswer answer() {
        found.keySet().removeAll(faults.keySet());
        return new ProbeAnswer(found, faults);
    }
}
