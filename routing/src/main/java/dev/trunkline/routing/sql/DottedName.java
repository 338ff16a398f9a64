package dev.trunkline.routing.sql;

import java.util.ArrayList;
import java.util.List;

/** A dotted name that the parser keeps as one string, quotes and all. */
final class DottedName {

    private DottedName() {}

    /** The parts with their quotes; a dot within quotes does not divide. */
    static List<String> parts(String dotted) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        boolean quoted = false;
        for (char c : dotted.toCharArray()) {
            if (c == '"') {
                quoted = !quoted;
            }
            if (c == '.' && !quoted) {
                parts.add(part.toString().strip());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString().strip());
        return parts;
    }
}
