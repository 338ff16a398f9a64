package dev.trunkline.conf.load;

import java.util.ArrayList;
import java.util.List;

/** Collects the faults of one file. */
final class Faults {

    private final List<Fault> list = new ArrayList<>();

    void add(String place, String problem) {
        list.add(new Fault(place, problem));
    }

    int count() {
        return list.size();
    }

    void throwIfAny(String file) {
        if (!list.isEmpty()) {
            throw new ConfigException(file, list);
        }
    }
}
