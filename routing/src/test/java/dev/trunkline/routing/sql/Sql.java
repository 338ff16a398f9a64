package dev.trunkline.routing.sql;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Short forms for the tests of this package. */
final class Sql {

    private Sql() {}

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Tokens lex(String text) {
        return Lexer.lex(bytes(text), true);
    }

    /** Every token as {@code KIND text}, key words as {@code KEYWORD text}. */
    static List<String> spell(Tokens tokens) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < tokens.count(); i++) {
            String kind =
                    tokens.keyword(i) == Keyword.NONE_OF_THEM ? tokens.kind(i).toString() : "KEYWORD";
            all.add(kind + " " + tokens.raw(i));
        }
        return all;
    }

    static Statements split(Tokens tokens) {
        Statements statements = new Statements();
        statements.split(tokens);
        return statements;
    }

    static Shape shape(Tokens tokens) {
        Shape shape = new Shape();
        Statements statements = split(tokens);
        if (statements.count() == 0) {
            shape.of(tokens, 0, 0, false);
        } else {
            shape.of(tokens, statements, 0);
        }
        return shape;
    }

    /** The first statement for JSqlParser; null if it cannot be shown to it. */
    static String normalize(String text) {
        Tokens tokens = lex(text);
        return Normalizer.normalize(tokens, shape(tokens));
    }

    /** Every slot as {@code KIND element, element}, a negative element with its sign. */
    static List<String> spell(Tokens tokens, Slots slots) {
        List<String> all = new ArrayList<>();
        for (int slot = 0; slot < slots.count(); slot++) {
            List<String> elements = new ArrayList<>();
            for (int i = 0; i < slots.size(slot); i++) {
                elements.add((slots.isNegative(slot, i) ? "-" : "") + tokens.raw(slots.token(slot, i)));
            }
            all.add(slots.kind(slot) + " " + String.join(", ", elements));
        }
        return all;
    }
}
