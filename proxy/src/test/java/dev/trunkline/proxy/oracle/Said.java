package dev.trunkline.proxy.oracle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a server answered, as far as two servers must agree on it.
 *
 * @param lines everything but what may differ; rows sorted unless they are ordered
 * @param sqlState of the first error; null if there is none
 * @param message of the first error
 */
record Said(
        List<String> lines,
        @Nullable String sqlState,
        @Nullable String message) {

    private static final int LONGEST_MESSAGE = 1500;
    private static final String NOT_SUPPORTED = "0A000";

    boolean isRefusal() {
        return NOT_SUPPORTED.equals(sqlState);
    }

    /** True if a client cannot tell the two apart, but for a position that an error of the proxy's own does not have. */
    boolean agreesWith(Said right) {
        return lines.equals(right.lines)
                || sqlState != null
                        && lines.equals(right.lines.stream().map(Said::unplaced).toList());
    }

    private static String unplaced(String line) {
        return line.replaceAll(" P=\\d+|\n +Position: \\d+", "");
    }

    /** The connection broke, or went silent. */
    static Said broken(Throwable failure) {
        String all = String.valueOf(failure.getMessage());
        // An exchange is shown whole by the harness, and only its end is of interest here.
        String message = all.length() <= LONGEST_MESSAGE
                ? all
                : all.lines().findFirst().orElse("") + " … " + all.substring(all.length() - LONGEST_MESSAGE);
        return new Said(List.of("BROKEN: " + message), "broken", message);
    }

    @Override
    public String toString() {
        int most = 40;
        String text = String.join("\n    ", lines.subList(0, Math.min(most, lines.size())));
        return lines.size() > most ? text + "\n    … " + lines.size() + " lines" : text;
    }
}
