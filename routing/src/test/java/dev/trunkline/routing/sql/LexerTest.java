package dev.trunkline.routing.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LexerTest {

    static Stream<Arguments> spellings() {
        return Stream.of(
                row("SELECT id FROM t", "KEYWORD SELECT | WORD id | KEYWORD FROM | WORD t"),
                row("a$b _c é1", "WORD a$b | WORD _c | WORD é1"),
                row("\"a\"\"b\" U&\"d\\0061t\"", "QUOTED \"a\"\"b\" | UNICODE_QUOTED U&\"d\\0061t\""),
                row("u&\"d!0061\" uescape '!'", "UNICODE_QUOTED u&\"d!0061\" uescape '!'"),
                row("u & 'x'", "WORD u | OPERATOR & | STRING 'x'"),
                row("'it''s' 'x'", "STRING 'it''s' | STRING 'x'"),
                row("'a'\n  'b'", "STRING 'a'\n  'b'"),
                row("'a' -- c\n 'b'", "STRING 'a' -- c\n 'b'"),
                row("'a' /* c */ 'b'", "STRING 'a' | STRING 'b'"),
                row("'a'\n-- c\n'b'", "STRING 'a'\n-- c\n'b'"),
                row("e'it\\'s' E'\\\\'", "ESCAPE_STRING e'it\\'s' | ESCAPE_STRING E'\\\\'"),
                row("'a\\' 'b'", "STRING 'a\\' | STRING 'b'"),
                row("U&'d\\0061t' UESCAPE '!'", "UNICODE_STRING U&'d\\0061t' UESCAPE '!'"),
                row("B'01' x'1F' N'x'", "BIT_STRING B'01' | HEX_STRING x'1F' | NATIONAL_STRING N'x'"),
                row("$$a'b$$ $q$a$$b$q$", "DOLLAR_STRING $$a'b$$ | DOLLAR_STRING $q$a$$b$q$"),
                row("$1 $23", "PARAMETER $1 | PARAMETER $23"),
                row("1 1_000 0x1F 0b1 0o7", "INTEGER 1 | INTEGER 1_000 | INTEGER 0x1F | INTEGER 0b1 | INTEGER 0o7"),
                row("1. .5 1.5 1e10 1.5E-3", "NUMERIC 1. | NUMERIC .5 | NUMERIC 1.5 | NUMERIC 1e10 | NUMERIC 1.5E-3"),
                row("1..2", "INTEGER 1 | DOT_DOT .. | INTEGER 2"),
                row("1abc 1_ 0x 1e+ $1a", "JUNK 1abc | JUNK 1_ | JUNK 0x | JUNK 1e+ | JUNK $1a"),
                row("a.b.c", "WORD a | DOT . | WORD b | DOT . | WORD c"),
                row(
                        "a::int := b => c:d",
                        "WORD a | TYPECAST :: | KEYWORD int | COLON_EQUALS := | WORD b"
                                + " | EQUALS_GREATER => | WORD c | COLON : | WORD d"),
                row("a=-1", "WORD a | OPERATOR = | OPERATOR - | INTEGER 1"),
                row("a@-1", "WORD a | OPERATOR @- | INTEGER 1"),
                row("a+-1 *-- c", "WORD a | OPERATOR + | OPERATOR - | INTEGER 1 | OPERATOR *"),
                row("a</*c*/b", "WORD a | OPERATOR < | WORD b"),
                row(
                        "a @> b ?| c #>> d",
                        "WORD a | OPERATOR @> | WORD b | OPERATOR ?| | WORD c | OPERATOR #>> | WORD d"),
                row("/* a /* b */ c */ x", "WORD x"),
                row("-- c\rx", "WORD x"),
                row(
                        "(a[1])",
                        "LEFT_PARENTHESIS ( | WORD a | LEFT_BRACKET [ | INTEGER 1 | RIGHT_BRACKET ]"
                                + " | RIGHT_PARENTHESIS )"),
                row("a \\ {", "WORD a | JUNK \\ | JUNK {"),
                row("\"\"", "JUNK \"\""));
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void readsTokensAsPostgresDoes(String sql, String expected) {
        assertThat(String.join(" | ", Sql.spell(Sql.lex(sql)))).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("cutOff")
    void marksUnterminatedText(String sql) {
        Tokens tokens = Sql.lex(sql);
        assertThat(tokens.unterminated()).isTrue();
        assertThat(tokens.malformed()).isTrue();
        assertThat(tokens.kind(tokens.count() - 1)).isEqualTo(TokenKind.JUNK);
    }

    static Stream<String> cutOff() {
        return Stream.of(
                "'a", "'a''", "E'a\\'", "E'\\", "U&'a", "\"a", "$$a", "$q$a$$", "/* a /* b */", "B'1", "'a'\n'b");
    }

    @Test
    void treatsBackslashAsEscapeWhenStringsAreNotStandard() {
        Tokens tokens = Lexer.lex(Sql.bytes("'a\\' OR id = 6 --'"), false);
        assertThat(Sql.spell(tokens)).containsExactly("ESCAPE_STRING 'a\\' OR id = 6 --'");
        assertThat(Lexer.lex(Sql.bytes("U&'a'"), false).malformed()).isTrue();
    }

    @Test
    void foldsAndCutsNames() {
        Tokens tokens =
                Sql.lex("FooBar \"Foo\"\"B\" É U&\"d\\0061\\+000074\" " + "x".repeat(70) + " " + "é".repeat(40));
        assertThat(tokens.name(0)).isEqualTo("foobar");
        assertThat(tokens.name(1)).isEqualTo("Foo\"B");
        assertThat(tokens.name(2)).isEqualTo("É");
        assertThat(tokens.name(3)).isEqualTo("dat");
        assertThat(tokens.name(4)).isEqualTo("x".repeat(63));
        assertThat(tokens.name(5)).isEqualTo("é".repeat(31));
    }

    @Test
    void countsDepthOfParentheses() {
        assertThat(Sql.lex("((a[1]))").maxDepth()).isEqualTo(3);
        assertThat(Sql.lex("()()()").maxDepth()).isEqualTo(1);
    }

    private static Arguments row(String sql, String tokens) {
        return Arguments.of(sql, tokens);
    }
}
