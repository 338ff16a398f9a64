package dev.trunkline.routing.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for any text whatever, SQL or not. */
class AnyTextTest {

    /** Pieces that begin, end or nest something. */
    private static final List<String> PIECES = List.of(
            "'",
            "''",
            "\"",
            "\\",
            "$$",
            "$q$",
            "$1",
            "$",
            "/*",
            "*/",
            "--",
            "\n",
            " ",
            "\t",
            ";",
            "(",
            ")",
            "[",
            "]",
            ",",
            ".",
            "..",
            "::",
            ":=",
            ":",
            "=>",
            "E'",
            "U&'",
            "U&\"",
            " UESCAPE '!'",
            "B'",
            "X'",
            "N'",
            "1",
            "1.5",
            "0x",
            "1e",
            "_",
            "+",
            "-",
            "*",
            "/",
            "<",
            "=",
            "@",
            "?",
            "a",
            "é",
            "\u0000",
            "SELECT",
            " IN (",
            " VALUES (",
            "ORDER BY ",
            " LIMIT ",
            "CREATE FUNCTION f() BEGIN ATOMIC ",
            "CASE",
            " END",
            "NULL",
            "DEFAULT",
            "WITH q AS (",
            "INSERT INTO t ",
            "SET ",
            "BEGIN",
            "COPY t FROM STDIN",
            "EXPLAIN (",
            "interval '",
            "CAST(a AS ",
            " AS ",
            "/* pgdog_shard: 1 */",
            "OPERATOR(",
            "TABLE ",
            "VARIADIC ",
            "FETCH ",
            "DECLARE c CURSOR FOR ",
            "set_config('");

    @Provide
    Arbitrary<byte[]> soup() {
        Arbitrary<String> pieces = Arbitraries.of(PIECES).list().ofMaxSize(30).map(list -> String.join("", list));
        return pieces.map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    @Property(tries = 2000)
    void coversEveryByte(@ForAll("soup") byte[] text, @ForAll boolean standardStrings) {
        assertCovered(text, Lexer.lex(text, standardStrings));
    }

    @Property(tries = 1000)
    void coversEveryByteOfNoise(@ForAll byte[] text) {
        assertCovered(text, Lexer.lex(text, true));
    }

    private static void assertCovered(byte[] text, Tokens tokens) {
        int at = 0;
        for (int i = 0; i < tokens.count(); i++) {
            assertThat(tokens.start(i)).isGreaterThanOrEqualTo(at);
            assertThat(tokens.end(i)).isGreaterThan(tokens.start(i));
            assertBlank(text, at, tokens.start(i));
            at = tokens.end(i);
        }
        assertBlank(text, at, text.length);
        assertThat(tokens.kind(tokens.count())).isEqualTo(TokenKind.END);
    }

    /** What lies between tokens begins with white space or a comment, and is nothing but those. */
    private static void assertBlank(byte[] text, int from, int to) {
        String gap = new String(text, from, to - from, StandardCharsets.ISO_8859_1);
        String rest = gap;
        while (!rest.isEmpty()) {
            int length = blankPrefix(rest);
            assertThat(length).as(gap).isPositive();
            rest = rest.substring(length);
        }
    }

    private static int blankPrefix(String text) {
        if (" \t\n\r\f\u000B".indexOf(text.charAt(0)) >= 0) {
            return 1;
        }
        if (text.startsWith("--")) {
            return text.split("[\r\n]", 2)[0].length();
        }
        int depth = 0;
        int i = 0;
        do {
            if (text.startsWith("/*", i)) {
                depth++;
                i += 2;
            } else if (text.startsWith("*/", i)) {
                depth--;
                i += 2;
            } else {
                i++;
            }
        } while (depth > 0 && i < text.length());
        return depth == 0 && text.startsWith("/*") ? i : 0;
    }

    @Property(tries = 2000)
    void splitsAStatementNoFurther(@ForAll("soup") byte[] text) {
        Tokens tokens = Lexer.lex(text, true);
        Statements statements = Sql.split(tokens);
        for (int i = 0; i < statements.count(); i++) {
            Tokens alone = new Tokens();
            int start = statements.startByte(i);
            Lexer.lex(text, start, statements.endByte(i) - start, true, alone);
            assertThat(alone.count()).isEqualTo(statements.endToken(i) - statements.firstToken(i));
            assertThat(Sql.split(alone).count()).isEqualTo(1);
        }
    }

    @Property(tries = 1000)
    void readsTheSameAnywhereInAnArray(@ForAll("soup") byte[] text) {
        byte[] shifted = new byte[text.length + 11];
        Arrays.fill(shifted, (byte) '\'');
        System.arraycopy(text, 0, shifted, 4, text.length);
        Tokens tokens = new Tokens();
        Lexer.lex(shifted, 4, text.length, true, tokens);
        assertThat(Sql.spell(tokens)).isEqualTo(Sql.spell(Lexer.lex(text, true)));
    }

    @Property(tries = 3000)
    void isReadWithoutFailureByAllWhoReadTokens(@ForAll("soup") byte[] text) {
        Tokens tokens = Lexer.lex(text, true);
        Statements statements = Sql.split(tokens);
        Shape shape = new Shape();
        for (int i = 0; i < statements.count(); i++) {
            int first = statements.firstToken(i);
            int end = statements.endToken(i);
            shape.of(tokens, statements, i);
            assertThat(shape.length()).isPositive();
            assertThat(Classifier.classify(tokens, first, end)).isNotNull();
            Command ignored = Classifier.command(tokens, first, end);
            Object settings = SetConfigs.of(tokens, first, end, TextParameters.UNKNOWN);
            String normalized = Normalizer.normalize(tokens, shape);
            assertThat(normalized == null || !normalized.contains("\n")).isTrue();
        }
    }

    @Property(tries = 1000)
    void decodesEveryConstantOrRefusesIt(@ForAll("soup") byte[] text) {
        Tokens tokens = Lexer.lex(text, true);
        Literal literal = new Literal();
        for (int i = 0; i < tokens.count(); i++) {
            if (tokens.kind(i).isString()) {
                boolean valid = literal.decodeString(tokens, i);
                assertThat(valid ? literal.length() : 0).isLessThanOrEqualTo(tokens.end(i) - tokens.start(i));
            } else if (tokens.kind(i).isNumber()) {
                assertThat(literal.decodeNumber(tokens, i, true)).isNotNull();
            } else if (tokens.isName(i)) {
                assertThat(tokens.name(i)).isNotNull();
            }
        }
    }
}
