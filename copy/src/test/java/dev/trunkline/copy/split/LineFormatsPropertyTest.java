package dev.trunkline.copy.split;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.copy.format.CopyOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/**
 * Text and CSV: whatever the values, the options and the pieces, each row goes whole and unchanged to the shard of its
 * key, in order, and the key is what was written. The streams are written here, field by field, so nothing is parsed to
 * know what they hold.
 */
class LineFormatsPropertyTest {

    private static final List<String> COLUMNS = List.of("a", "b", "c");

    /**
     * A stream and what it must give.
     *
     * @param keys as {@link Split} notes them
     * @param rows the bytes of each
     */
    record Stream(CopyOptions options, int keyField, String header, List<String> keys, List<String> rows) {

        byte[] bytes() {
            return (header + String.join("", rows)).getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    @Property(tries = 2000)
    void textGoesToTheShardOfItsKey(
            @ForAll("textStreams") Stream stream, @ForAll("pieces") List<Integer> pieces, @ForAll boolean misses) {
        check(stream, pieces, misses);
    }

    @Property(tries = 2000)
    void csvGoesToTheShardOfItsKey(
            @ForAll("csvStreams") Stream stream, @ForAll("pieces") List<Integer> pieces, @ForAll boolean misses) {
        check(stream, pieces, misses);
    }

    private static void check(Stream stream, List<Integer> pieces, boolean misses) {
        Split split = new Split(stream.options, COLUMNS, stream.keyField, misses).take(stream.bytes(), pieces);
        assertThat(split.keys).isEqualTo(stream.keys);
        assertThat(split.splitter.rows()).isEqualTo(stream.rows.size());
        for (int shard = 0; shard < Split.SHARDS; shard++) {
            StringBuilder expected = new StringBuilder(stream.header);
            for (int row = 0; row < stream.rows.size(); row++) {
                if (Split.shard(stream.keys.get(row)) == shard) {
                    expected.append(stream.rows.get(row));
                }
            }
            assertThat(split.stream(shard)).isEqualTo(expected.toString());
        }
    }

    @Provide
    Arbitrary<List<Integer>> pieces() {
        return Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(3, Arbitraries.integers().between(1, 3)),
                        net.jqwik.api.Tuple.of(2, Arbitraries.integers().between(1, 20)),
                        net.jqwik.api.Tuple.of(1, Arbitraries.integers().between(20, 5000)))
                .list()
                .ofMinSize(1)
                .ofMaxSize(8);
    }

    /** Values with everything that means something somewhere. */
    private static Arbitrary<@Nullable String> values() {
        return Arbitraries.strings()
                .withChars(
                        'a', 'b', 'n', 'x', '4', '1', 'N', '.', ',', ';', '|', '\t', '\n', '\r', '\\', '"', '\'', ' ')
                .withChars((char) 0xE9, (char) 0xC3)
                .ofMaxLength(12)
                .injectNull(0.1);
    }

    private static Arbitrary<List<List<@Nullable String>>> tables() {
        return values().list().ofSize(3).list().ofMaxSize(12);
    }

    private static Arbitrary<String> ends() {
        return Arbitraries.of("\n", "\r\n", "\r");
    }

    // ---- text

    @Provide
    Arbitrary<Stream> textStreams() {
        return Combinators.combine(
                        tables(),
                        ends(),
                        Arbitraries.of("\t", "|", ";"),
                        Arbitraries.of("\\N", "", "NULL"),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.of(true, false),
                        Arbitraries.randoms())
                .as((table, end, delimiter, nullText, key, header, random) -> {
                    List<String> keys = new ArrayList<>();
                    List<String> rows = new ArrayList<>();
                    for (List<@Nullable String> values : table) {
                        List<String> fields = new ArrayList<>();
                        for (String value : values) {
                            fields.add(
                                    isNull(value, nullText) ? nullText : textField(value, delimiter, nullText, random));
                        }
                        String value = values.get(key);
                        keys.add(isNull(value, nullText) ? "<null>" : "=" + value);
                        rows.add(String.join(delimiter, fields) + end);
                    }
                    String headerLine = header ? "a" + delimiter + "b" + delimiter + "c" + end : "";
                    cutLastEnd(rows, end, random);
                    CopyOptions options =
                            Split.options("delimiter", delimiter, "null", nullText, "header", Boolean.toString(header));
                    return new Stream(options, key, headerLine, keys, rows);
                });
    }

    /** Where NULL is written as nothing there is no way to write an empty value. */
    private static boolean isNull(@Nullable String value, String nullText) {
        return value == null || value.isEmpty() && nullText.isEmpty();
    }

    private static String textField(String value, String delimiter, String nullText, java.util.Random random) {
        StringBuilder field = new StringBuilder();
        for (char each : value.toCharArray()) {
            String letter = switch (each) {
                case '\n' -> random.nextBoolean() ? "\\n" : "\\\n";
                case '\r' -> random.nextBoolean() ? "\\r" : "\\015";
                case '\t' -> random.nextBoolean() ? "\\t" : "\\x09";
                case '\\' -> "\\\\";
                default -> String.valueOf(each).equals(delimiter) ? "\\" + each : String.valueOf(each);
            };
            field.append(letter);
        }
        String written = field.toString();
        if (written.equals(nullText)) {
            // The spelling of NULL as a value: its first character as a number.
            return "\\" + Integer.toOctalString(0x200 | value.charAt(0)).substring(1) + written.substring(1);
        }
        return written;
    }

    // ---- CSV

    @Provide
    Arbitrary<Stream> csvStreams() {
        return Combinators.combine(
                        tables(),
                        ends(),
                        Arbitraries.of(",", ";", "|"),
                        Arbitraries.of("\"\"", "''", "\"\\", "'\\"),
                        Arbitraries.of("", "NULL", "\\N"),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.of(true, false),
                        Arbitraries.randoms())
                .as((table, end, delimiter, quotes, nullText, key, header, random) -> {
                    String quote = quotes.substring(0, 1);
                    String escape = quotes.substring(1);
                    List<String> keys = new ArrayList<>();
                    List<String> rows = new ArrayList<>();
                    for (List<@Nullable String> values : table) {
                        List<String> fields = new ArrayList<>();
                        for (String value : values) {
                            fields.add(
                                    value == null
                                            ? nullText
                                            : csvField(value, delimiter, quote, escape, nullText, random));
                        }
                        String value = values.get(key);
                        keys.add(value == null ? "<null>" : "=" + value);
                        rows.add(String.join(delimiter, fields) + end);
                    }
                    cutLastEnd(rows, end, random);
                    String headerLine = header ? quote + "a\n" + quote + delimiter + "b" + delimiter + "c" + end : "";
                    CopyOptions options = Split.options(
                            "format",
                            "csv",
                            "delimiter",
                            delimiter,
                            "quote",
                            quote,
                            "escape",
                            escape,
                            "null",
                            nullText,
                            "header",
                            Boolean.toString(header));
                    return new Stream(options, key, headerLine, keys, rows);
                });
    }

    private static String csvField(
            String value, String delimiter, String quote, String escape, String nullText, java.util.Random random) {
        boolean mustQuote = value.equals(nullText)
                || value.isEmpty()
                || value.contains(delimiter)
                || value.contains(quote)
                || value.contains("\n")
                || value.contains("\r");
        if (!mustQuote && random.nextInt(3) > 0) {
            return value;
        }
        String escaped = escape.equals(quote) ? value : value.replace(escape, escape + escape);
        String whole = escaped.replace(quote, escape + quote);
        return quote + whole + quote;
    }

    /** The last line may end with the stream, unless nothing would be left of it. */
    private static void cutLastEnd(List<String> rows, String end, java.util.Random random) {
        if (!rows.isEmpty() && random.nextBoolean()) {
            String last = rows.get(rows.size() - 1);
            rows.set(rows.size() - 1, last.substring(0, last.length() - end.length()));
        }
    }
}
