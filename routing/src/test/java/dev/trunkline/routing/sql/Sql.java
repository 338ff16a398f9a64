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
}
