package dev.trunkline.conf.load;

/**
 * One thing that is wrong with a configuration file.
 *
 * @param place where: a path such as {@code sharded_tables[0].lookup}, a line for a syntax error, or empty for the file
 * @param problem what is wrong and what is allowed
 */
public record Fault(String place, String problem) {

    /** The line that a user reads: {@code place: problem}. */
    @Override
    public String toString() {
        return place.isEmpty() ? problem : place + ": " + problem;
    }
}
