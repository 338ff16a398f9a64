package dev.trunkline.routing.sql;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** String constants as Java strings, off the hot path. */
final class Literals {

    private Literals() {}

    /** The value of a string constant; null if PostgreSQL refuses it. */
    static @Nullable String string(Tokens tokens, int token) {
        Literal literal = new Literal();
        if (!literal.decodeString(tokens, token)) {
            return null;
        }
        return new String(literal.bytes(), literal.offset(), literal.length(), StandardCharsets.UTF_8);
    }

    /** The value as a string constant that means the same whatever standard_conforming_strings is. */
    static String quote(String value) {
        String doubled = value.replace("'", "''");
        return value.indexOf('\\') < 0 ? "'" + doubled + "'" : "E'" + doubled.replace("\\", "\\\\") + "'";
    }
}
