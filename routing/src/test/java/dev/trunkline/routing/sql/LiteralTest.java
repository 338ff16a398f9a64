package dev.trunkline.routing.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LiteralTest {

    private final Literal literal = new Literal();

    static Stream<Arguments> strings() {
        return Stream.of(
                row("''", ""),
                row("'abc'", "abc"),
                row("'a''b'", "a'b"),
                row("'a\\n'", "a\\n"),
                row("'a'\n'b' -- c\n 'c''d'", "abc'd"),
                row("E'a\\nb\\tc\\\\d\\'e''f'", "a\nb\tc\\d'e'f"),
                row("E'\\x41\\x4a\\7\\101\\q'", "AJ\u0007Aq"),
                row("E'\\u00e9\\U0001F600'", "é😀"),
                row("E'\\ud83d\\ude00'", "😀"),
                row("E'a'\n'\\n'", "a\n"),
                row("e'\\xc3\\xa9'", "é"),
                row("U&'d\\0061t\\+000061'", "data"),
                row("U&'\\d83d\\de00\\\\'", "😀\\"),
                row("U&'d!0061!!' UESCAPE '!'", "da!"),
                row("u&'a''b' /* c */ uescape E'!'", "a'b"),
                row("U&'a'\n'\\0062'", "ab"),
                row("$$a'b$$", "a'b"),
                row("$x$$$$x$", "$$"),
                row("$q$é\n$q$", "é\n"),
                row("N'abc'", "abc"));
    }

    @ParameterizedTest
    @MethodSource("strings")
    void decodesStrings(String sql, String expected) {
        Tokens tokens = Sql.lex(sql);
        assertThat(tokens.count()).isEqualTo(1);
        assertThat(literal.decodeString(tokens, 0)).isTrue();
        assertThat(new String(literal.toByteArray(), StandardCharsets.UTF_8)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "E'\\000'",
                "E'\\x00'",
                "E'\\u12'",
                "E'\\u0000'",
                "E'\\ud83d'",
                "E'\\ud83dx'",
                "E'\\ude00'",
                "E'\\U00110000'",
                "U&'\\00'",
                "U&'\\zzzz'",
                "U&'\\0000'",
                "U&'\\d83d'",
                "U&'a' UESCAPE 'ab'",
                "U&'a' UESCAPE '+'",
                "U&'a' UESCAPE 'f'"
            })
    void refusesStringsThatPostgresRefuses(String sql) {
        Tokens tokens = Sql.lex(sql);
        assertThat(literal.decodeString(tokens, 0)).isFalse();
    }

    @Test
    void pointsIntoTheTextWhenNothingIsEscaped() {
        Tokens tokens = Sql.lex("'abc'");
        assertThat(literal.decodeString(tokens, 0)).isTrue();
        assertThat(literal.bytes()).isSameAs(tokens.text());
        assertThat(literal.offset()).isEqualTo(1);
        assertThat(literal.length()).isEqualTo(3);
    }

    @Test
    void decodesOnlyStrings() {
        assertThatThrownBy(() -> literal.decodeString(Sql.lex("5"), 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "0, false, 0",
        "007, false, 7",
        "42, true, -42",
        "1_000, false, 1000",
        "0x1F, false, 31",
        "0X1f_ff, true, -8191",
        "0o17, false, 15",
        "0b101, false, 5",
        "9223372036854775807, false, 9223372036854775807",
        "9223372036854775808, true, -9223372036854775808",
        "0x7fffffffffffffff, false, 9223372036854775807",
        "4.0, false, 4",
        "4., true, -4",
        ".0, false, 0",
        "1e3, false, 1000",
        "1.5e1, false, 15",
        "400e-2, false, 4",
        "1_0.0_0, false, 10",
        "9223372036854775807.00, false, 9223372036854775807",
        "0e999999999999, false, 0",
    })
    void decodesWholeNumbers(String sql, boolean negative, long expected) {
        Tokens tokens = Sql.lex(sql);
        assertThat(tokens.count()).isEqualTo(1);
        assertThat(literal.decodeNumber(tokens, 0, negative)).isEqualTo(Literal.Number.INTEGRAL);
        assertThat(literal.value()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "4.5, FRACTIONAL",
        "1e-1, FRACTIONAL",
        "0.00001, FRACTIONAL",
        "9223372036854775808, OUT_OF_RANGE",
        "99999999999999999999999999, OUT_OF_RANGE",
        "0xffffffffffffffff, OUT_OF_RANGE",
        "1e30, OUT_OF_RANGE",
        "1e999999999999, OUT_OF_RANGE",
    })
    void tellsNumbersThatAreNoBigint(String sql, Literal.Number expected) {
        Tokens tokens = Sql.lex(sql);
        assertThat(literal.decodeNumber(tokens, 0, false)).isEqualTo(expected);
    }

    private static Arguments row(String sql, String value) {
        return Arguments.of(sql, value);
    }
}
