package dev.trunkline.conf.load;

import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts environment variables into string values: <code>${NAME}</code>, or <code>${NAME:-default}</code> for one that is
 * unset or empty, as a shell does. <code>$${</code> is a plain <code>${</code>. What is put in is not looked at again.
 */
final class Substitution {

    private static final Pattern REFERENCE = Pattern.compile(
            "\\$(?<plain>\\$\\{)|\\$\\{(?<name>[A-Za-z_][A-Za-z0-9_]*)(?<fallback>:-(?<text>[^}]*))?}|(?<broken>\\$\\{)");

    private final Function<String, @Nullable String> environment;
    private final Faults faults;

    Substitution(Function<String, @Nullable String> environment, Faults faults) {
        this.environment = environment;
        this.faults = faults;
    }

    /** The text holds something to be replaced. */
    static boolean isNeededFor(String text) {
        return text.contains("${");
    }

    /** The text with every reference replaced, or null with the fault recorded. */
    @Nullable
    String apply(String text, String place) {
        Matcher matcher = REFERENCE.matcher(text);
        StringBuilder result = new StringBuilder();
        while (matcher.find()) {
            String replacement = replacement(matcher, place);
            if (replacement == null) {
                return null;
            }
            matcher.appendReplacement(result, Matcher.quoteReplacement(replacement));
        }
        return matcher.appendTail(result).toString();
    }

    private @Nullable String replacement(Matcher reference, String place) {
        if (reference.group("plain") != null) {
            return "${";
        }
        if (reference.group("broken") != null) {
            faults.add(place, "\"${\" must begin ${NAME} or ${NAME:-default}; write $${ for a plain ${");
            return null;
        }
        return variable(reference.group("name"), reference, place);
    }

    private @Nullable String variable(String name, Matcher reference, String place) {
        String value = environment.apply(name);
        boolean hasFallback = reference.group("fallback") != null;
        if (value == null && !hasFallback) {
            faults.add(place, "the environment variable " + name + " is not set and ${" + name + "} has no default");
            return null;
        }
        return hasFallback && (value == null || value.isEmpty()) ? reference.group("text") : value;
    }
}
