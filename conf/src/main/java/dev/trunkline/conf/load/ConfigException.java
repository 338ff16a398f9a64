package dev.trunkline.conf.load;

import java.util.List;
import java.util.stream.Collectors;

/** The configuration file is not valid; holds everything that is wrong with it. */
public final class ConfigException extends RuntimeException {

    private final String file;
    private final transient List<Fault> faults;

    ConfigException(String file, List<Fault> faults) {
        super(faults.stream()
                .map(Fault::toString)
                .collect(Collectors.joining("\n  ", file + " is not valid:\n  ", "")));
        this.file = file;
        this.faults = List.copyOf(faults);
    }

    /** The file as it was named. */
    public String file() {
        return file;
    }

    /** All faults, at least one: first those of single keys in the file's order, then those between keys. */
    public List<Fault> faults() {
        return faults;
    }
}
