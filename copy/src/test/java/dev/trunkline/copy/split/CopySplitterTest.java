package dev.trunkline.copy.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.copy.format.CopyOptions;
import dev.trunkline.protocol.error.PgException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the division of a stream makes of single streams, in pieces of every length. */
class CopySplitterTest {

    private static final List<String> COLUMNS = List.of("id", "note");
    private static final CopyOptions TEXT = Split.options();
    private static final CopyOptions CSV = Split.options("format", "csv");
    private static final CopyOptions BINARY = Split.options("format", "binary");

    private static void keys(CopyOptions options, String stream, String... keys) {
        for (int length = 1; length <= stream.length() + 1; length++) {
            assertThat(split(options, stream, length).keys)
                    .as("pieces of " + length)
                    .containsExactly(keys);
        }
    }

    private static Split split(CopyOptions options, String stream, int length) {
        byte[] bytes = stream.getBytes(StandardCharsets.ISO_8859_1);
        return new Split(options, COLUMNS, 0, length % 2 == 0).take(bytes, List.of(length));
    }

    private static void fails(CopyOptions options, String stream, String message) {
        for (int length = 1; length <= stream.length() + 1; length++) {
            int pieces = length;
            assertThatThrownBy(() -> split(options, stream, pieces))
                    .as("pieces of " + length)
                    .isInstanceOfSatisfying(
                            PgException.class, fault -> assertThat(fault.text()).isEqualTo(message));
        }
    }

    @Test
    void resolvesTheSequencesOfText() {
        keys(TEXT, "a\\tb\tx\n", "=a\tb");
        keys(TEXT, "c\\\\d\\q\\x41\\101\\x4g\\8\t\n", "=c\\dqAA\4g8");
        keys(TEXT, "\\b\\f\\v\\xzz\\\n\t\n", "=\b\f\u000Bxzz\n");
    }

    @Test
    void knowsNullFromItsSpelling() {
        keys(TEXT, "\\N\tx\n\\\\N\tx\n\tx\n", "<null>", "=\\N", "=");
        keys(CSV, ",x\n\"\",x\n\\N,x\n", "<null>", "=", "=\\N");
        keys(
                Split.options("format", "csv", "null", "NULL"),
                "NULL,1\n\"NULL\",2\n\"\",3\n,4\n",
                "<null>",
                "=NULL",
                "=",
                "=");
        keys(Split.options("format", "csv", "force_null", "id"), "\"\",1\n,2\n", "<null>", "<null>");
        keys(Split.options("format", "csv", "force_not_null", "*"), "\"\",1\n,2\n", "=", "=");
        keys(Split.options("default", "\\D"), "\\D\tx\n\\\\D\tx\n", "<default>", "=\\D");
    }

    @Test
    void endsAtTheMarkerAlone() {
        keys(TEXT, "1\ta\n\\.\n2\tb\n", "=1");
        keys(TEXT, "1\ta\r\n\\.\r\n2\tb\r\n", "=1");
        keys(CSV, "1,a\n\\.\n2,b\n", "=1");
        keys(CSV, "\"\\.\",a\n\\.x,b\n2,\\.\n\\.,b\n\\.", "=\\.", "=\\.x", "=2", "=\\.", "=\\.");
        fails(TEXT, "1\ta\n\\.x\n", "end-of-copy marker corrupt");
        fails(TEXT, "1\ta\\.\n", "end-of-copy marker is not alone on its line");
        fails(TEXT, "1\ta\r\n\\.\n", "end-of-copy marker does not match previous newline style");
    }

    @Test
    void takesOneWayToEndLines() {
        fails(TEXT, "1\ta\n2\tb\r\n", "literal carriage return found in data");
        fails(TEXT, "1\ta\r\n2\tb\n", "literal newline found in data");
        fails(TEXT, "1\ta\r\n2\tb\r3\tc\r\n", "literal carriage return found in data");
        fails(CSV, "1,a\r2,b\n", "unquoted newline found in data");
        fails(CSV, "1,\"a\r2,b\n", "unterminated CSV quoted field");
    }

    @Test
    void namesTheFirstColumnThatIsMissing() {
        List<String> columns = List.of("a", "b", "key");
        for (int length = 1; length < 9; length++) {
            Split split = new Split(TEXT, columns, 2, false);
            List<Integer> lengths = List.of(length);
            assertThatThrownBy(() -> split.take("1\t2\t3\n4\n5".getBytes(StandardCharsets.ISO_8859_1), lengths))
                    .hasMessageContaining("missing data for column \"b\"");
            assertThat(split.splitter.scanner().line()).isEqualTo(2);
        }
    }

    @Test
    void sendsARowOnItsWayBeforeItHasEnded() {
        Split split = new Split(CSV, COLUMNS, 0, false);
        byte[] piece = "7,\"begun".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(split.splitter.take(piece, 0, piece.length)).isTrue();
        assertThat(split.stream(Split.shard("=7"))).isEqualTo("7,\"begun");
    }

    @Test
    void knowsTheClientsLines() {
        Split split = new Split(Split.options("format", "csv", "header", "true"), COLUMNS, 0, false);
        StringBuilder stream = new StringBuilder("id,note\n");
        for (int row = 0; row < 1000; row++) {
            stream.append(row).append(row % 10 == 0 ? ",\"two\nlines\"\n" : ",one\n");
        }
        split.take(stream.toString().getBytes(StandardCharsets.ISO_8859_1), List.of(17));
        String[] lines = stream.toString().split("\n");
        for (int shard = 0; shard < Split.SHARDS; shard++) {
            String[] mine = split.stream(shard).split("\n");
            for (int line = 0; line < mine.length; line++) {
                int there = (int) split.splitter.clientLine(shard, line + 1);
                assertThat(lines[there - 1]).isEqualTo(mine[line]);
            }
            assertThat(split.splitter.clientLine(shard, mine.length + 1)).isZero();
        }
    }

    // ---- binary

    private static String header(int flags, int extension) {
        return "PGCOPY\n\u00ff\r\n\0" + int32(flags) + int32(extension) + "x".repeat(Math.max(0, extension));
    }

    private static String int32(int number) {
        return new String(ByteBuffer.allocate(4).putInt(number).array(), StandardCharsets.ISO_8859_1);
    }

    private static String row(String... values) {
        StringBuilder row = new StringBuilder("\0" + (char) values.length);
        for (String value : values) {
            row.append(value == null ? int32(-1) : int32(value.length()) + value);
        }
        return row.toString();
    }

    @Test
    void findsTheRowsOfTheBinaryFormat() {
        String rows = row("1", "a") + row(null, "b") + row("", "c") + row("-1", null);
        keys(BINARY, header(0, 0) + rows + "\u00ff\u00ff", "=1", "<null>", "=", "=-1");
        keys(BINARY, header(5, 7) + rows, "=1", "<null>", "=", "=-1");
        Split split = split(BINARY, header(0, 3) + row("1", "a") + "\u00ff\u00ff", 2);
        for (int shard = 0; shard < Split.SHARDS; shard++) {
            boolean has = shard == Split.shard("=1");
            assertThat(split.stream(shard)).isEqualTo(header(0, 3) + (has ? row("1", "a") : ""));
        }
    }

    @Test
    void findsAKeyThatIsTheLastFieldOfTheBinaryFormat() {
        byte[] stream =
                (header(0, 0) + row("a", "1") + row("b", null) + row("c", "")).getBytes(StandardCharsets.ISO_8859_1);
        for (int length = 1; length < stream.length; length++) {
            Split split = new Split(BINARY, COLUMNS, 1, length % 2 == 0).take(stream, List.of(length));
            assertThat(split.keys).containsExactly("=1", "<null>", "=");
            assertThat(split.splitter.rows()).isEqualTo(3);
        }
    }

    @Test
    void refusesWhatIsNoBinaryFormat() {
        fails(BINARY, "PGCOPY\n\u00ff\r\r", "COPY file signature not recognized");
        fails(BINARY, "PGCOPY", "COPY file signature not recognized");
        fails(BINARY, header(1 << 16, 0), "invalid COPY file header (WITH OIDS)");
        fails(BINARY, header(1 << 17, 0), "unrecognized critical flags in COPY file header");
        fails(BINARY, header(0, -1), "invalid COPY file header (missing length)");
        fails(BINARY, header(0, 0) + row("1"), "row field count is 1, expected 2");
        fails(BINARY, header(0, 0) + row("1", "a").substring(0, 9), "unexpected EOF in COPY data");
        fails(BINARY, header(0, 0) + "\0\2" + int32(-2), "invalid field size");
        fails(BINARY, header(0, 0) + "\u00ff\u00ff" + row("1", "a"), "received copy data after EOF marker");
    }
}
