package dev.trunkline.proxy.engine;

import dev.trunkline.copy.format.KeyEncoding;
import dev.trunkline.copy.format.RowScanner;
import dev.trunkline.copy.split.CopySplitter;
import dev.trunkline.copy.split.CopySplitter.FaultyKey;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.backend.ErrorResponse;
import dev.trunkline.protocol.error.SqlState;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Places errors of a COPY in the client's stream, in the words of PostgreSQL's CONTEXT. */
final class CopyContext {

    private static final byte WHERE = 'W';

    /** As much as PostgreSQL shows of a value or a row. */
    private static final int MOST_SHOWN_BYTES = 100;

    private final String table;
    private final boolean binary;
    private final KeyEncoding encoding;
    private final Pattern line;
    private final CopySplitter splitter;

    CopyContext(String table, boolean binary, KeyEncoding encoding, CopySplitter splitter) {
        this.table = table;
        this.binary = binary;
        this.encoding = encoding;
        this.splitter = splitter;
        // The word for line is the server's language's.
        this.line = Pattern.compile("^COPY " + Pattern.quote(table) + ", \\S+ (\\d+)", Pattern.MULTILINE);
    }

    /** An error that was found here in the stream. */
    Fault here(Fault fault) {
        byte[] row = splitter.faultyRow();
        byte[] converted = row == null ? null : encoding.converted(row, 0, row.length);
        byte[] shown = converted == null ? row : converted;
        return with(fault, shown == null ? place() : place() + ": " + quoted(shown));
    }

    /** An error that was found here in the value of the key. */
    Fault ofKey(Fault fault, String column) {
        String place = place() + ", column " + column;
        return with(fault, binary ? place : place + ": " + shown(key()));
    }

    private FaultyKey key() {
        FaultyKey faulty = splitter.faultyKey();
        RowScanner scanner = splitter.scanner();
        int from = scanner.keyOffset();
        return faulty != null
                ? faulty
                : new FaultyKey(
                        scanner.keyValue(), Arrays.copyOfRange(scanner.keyBytes(), from, from + scanner.keyLength()));
    }

    private static String shown(FaultyKey key) {
        return switch (key.value()) {
            case NULL, DEFAULT -> "null input";
            case VALUE -> quoted(key.bytes());
        };
    }

    private String place() {
        return "COPY " + table + ", line " + splitter.scanner().line();
    }

    /** The beginning of a value; no character of it is cut. */
    private static String quoted(byte[] bytes) {
        int shown = Math.min(bytes.length, MOST_SHOWN_BYTES);
        if (shown < bytes.length) {
            while (shown > 0 && (bytes[shown] & 0xC0) == 0x80) {
                shown--;
            }
        }
        String text = new String(bytes, 0, shown, StandardCharsets.UTF_8);
        return '"' + text + (shown < bytes.length ? "...\"" : "\"");
    }

    /** An error that a server has found in the lines that it has got. */
    Fault ofShard(Fault fault, int index, int shard) {
        String where = fault.response().fields().text(WHERE);
        Matcher found = where == null ? null : line.matcher(where);
        if (where == null || found == null || !found.find()) {
            return fault;
        }
        long shardLine = Long.parseLong(found.group(1));
        boolean isAnywhere = isFoundWhileReading(fault) && splitter.isFolded(index, shardLine);
        long there = isAnywhere ? 0 : clientLine(index, shardLine);
        String replaced = there > 0
                ? where.substring(0, found.start(1)) + there + where.substring(found.end(1))
                : where.substring(0, found.end(1)) + " of the rows of shard " + shard + where.substring(found.end(1));
        return with(fault, replaced);
    }

    /** Bytes that are no characters are found before the end of their line. */
    private static boolean isFoundWhileReading(Fault fault) {
        return SqlState.CHARACTER_NOT_IN_REPERTOIRE
                .code()
                .equals(fault.response().fields().sqlState());
    }

    /** A server that waits for a line stands at the one that would come next. */
    private long clientLine(int index, long shardLine) {
        long there = splitter.clientLine(index, shardLine);
        boolean next = there == 0 && shardLine > 1 && splitter.clientLine(index, shardLine - 1) > 0;
        return next || there == 0 && shardLine == 1
                ? Math.max(1, splitter.scanner().line())
                : there;
    }

    private static Fault with(Fault fault, String where) {
        FrameWriter out = new FrameWriter();
        new ErrorResponse(fault.response().fields().with(WHERE, where)).encode(out);
        return new Fault(out.toByteArray());
    }
}
