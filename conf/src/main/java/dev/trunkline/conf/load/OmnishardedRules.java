package dev.trunkline.conf.load;

import dev.trunkline.conf.OmnishardedTables;
import dev.trunkline.conf.load.Draft.Placed;
import java.util.HashMap;
import java.util.Map;

/** Rules of omnisharded tables. */
final class OmnishardedRules {

    private OmnishardedRules() {}

    static void knownDatabase(Draft draft, Faults faults) {
        for (Placed<OmnishardedTables> tables : Draft.sound(draft.omnishardedTables())) {
            Names.requireDatabase(draft, tables.place(), tables.record().database(), faults);
        }
    }

    static void eachTableOnce(Draft draft, Faults faults) {
        record Table(String database, String name) {}
        Map<Table, String> seen = new HashMap<>();
        for (Placed<OmnishardedTables> tables : Draft.sound(draft.omnishardedTables())) {
            int index = 0;
            for (String name : tables.record().tables()) {
                String place = Section.place(tables.place("tables"), index++);
                String first = seen.putIfAbsent(new Table(tables.record().database(), name), place);
                if (first != null) {
                    faults.add(place, "table \"" + name + "\" is already listed (" + first + ")");
                }
            }
        }
    }
}
