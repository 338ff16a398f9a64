package dev.trunkline.copy.split;

import dev.trunkline.copy.format.CopyFormatErrors;
import dev.trunkline.copy.format.RowScanner;
import dev.trunkline.copy.format.RowScanner.Event;
import dev.trunkline.copy.format.RowScanner.KeyValue;
import dev.trunkline.protocol.error.PgException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Divides a stream that comes in pieces among the shards. A row whose key has been read goes on its way at once, however
 * long it is; only what stands before the key is held back while the row is cut.
 *
 * <p>Not thread-safe; one object per stream. After an exception it is not to be used any more.
 */
public final class CopySplitter {

    /**
     * A key with which its row cannot be stored.
     *
     * @param bytes its value, decoded
     */
    public record FaultyKey(KeyValue value, byte[] bytes) {}

    private static final int NOWHERE = -1;
    private static final byte[] NOTHING = {};

    private final RowScanner scanner;
    private final List<String> columns;
    private final KeyPlacement placement;
    private final ShardOutput output;
    private final LineLog[] lines;
    private final int mostHeldBytes;

    private byte[] bytes = NOTHING;
    private int at;
    private int end;
    private int rowStart;
    private int rowShard = NOWHERE;
    private long linesBefore;
    private boolean rowHasKey;
    private boolean rowIsFaulty;
    /** What is wrong with the key of the row that is read; told when it ends, as PostgreSQL does. */
    private @Nullable PgException keyFault;

    private @Nullable FaultyKey faultyKey;
    private boolean waiting;
    private boolean finishing;
    private boolean ended;
    private final long[] rowsOf;

    // Whole rows of one shard, side by side, not handed over yet.
    private int runShard = NOWHERE;
    private int runStart;
    private int runEnd;

    // The row's bytes of earlier pieces, as long as its shard is not known.
    private byte[] held = NOTHING;
    private int heldLength;

    /**
     * A splitter at the beginning of a stream.
     *
     * @param columns of the statement, in the order of the fields
     * @param mostHeldBytes how much may be held back of one row
     */
    public CopySplitter(
            RowScanner scanner,
            List<String> columns,
            int shards,
            int mostHeldBytes,
            KeyPlacement placement,
            ShardOutput output) {
        this.scanner = scanner;
        this.columns = columns;
        this.mostHeldBytes = mostHeldBytes;
        this.placement = placement;
        this.output = output;
        this.rowsOf = new long[shards];
        this.lines = new LineLog[shards];
        Arrays.setAll(lines, shard -> new LineLog());
    }

    /**
     * Takes the next piece. It must not change until all of it is taken.
     *
     * @return false when the shard of a key is not known: look at {@link #scanner()}, then {@link #resume}
     * @throws dev.trunkline.protocol.error.PgException if the stream or a key is not as it should be
     */
    public boolean take(byte[] piece, int from, int length) {
        bytes = piece;
        at = from;
        end = from + length;
        rowStart = from;
        return run();
    }

    /** Goes on after a key whose shard was not known; it is asked for again. */
    public boolean resume() {
        return run();
    }

    /** The end of the stream. What it returns and throws is as of {@link #take}. */
    public boolean finish() {
        bytes = NOTHING;
        at = 0;
        end = 0;
        rowStart = 0;
        finishing = true;
        return ended || run();
    }

    /** What is being read: its key, its line. */
    public RowScanner scanner() {
        return scanner;
    }

    /** How many rows have been read to their end. */
    public long rows() {
        return Arrays.stream(rowsOf).sum();
    }

    /** How many of them belong to a shard. */
    public long rowsOf(int shard) {
        return rowsOf[shard];
    }

    /** The line of the client's stream that a shard counts as this one; 0 when that is not known any more. */
    public long clientLine(int shard, long line) {
        return lines[shard].clientLine(line);
    }

    /**
     * True for a line of a shard that is several of the client's: what the shard has found while it read the line, and not
     * at its end, may be on any of them.
     */
    public boolean isFolded(int shard, long line) {
        return lines[shard].isFolded(line);
    }

    /** The key that a row was refused for; null if there is none. */
    public @Nullable FaultyKey faultyKey() {
        return faultyKey;
    }

    /** The row without its end that was refused after it had been read whole; null if none was. */
    public byte @Nullable [] faultyRow() {
        if (!rowIsFaulty) {
            return null;
        }
        byte[] row = Arrays.copyOf(held, heldLength + at - rowStart);
        System.arraycopy(bytes, rowStart, row, heldLength, at - rowStart);
        int length = row.length;
        while (length > 0 && row.length - length < 2 && (row[length - 1] == '\n' || row[length - 1] == '\r')) {
            length--;
        }
        return Arrays.copyOf(row, length);
    }

    private boolean run() {
        while (!ended) {
            Event event = waiting ? Event.KEY : finishing ? scanner.finish() : scanner.scan(bytes, at, end);
            if (!waiting) {
                at = scanner.position();
            }
            switch (event) {
                case MORE -> {
                    pieceEnds();
                    return true;
                }
                case KEY -> {
                    if (!place()) {
                        return false;
                    }
                }
                case ROW -> rowEnds();
                case HEADER -> headerEnds();
                case END -> ended = true;
            }
        }
        if (at < end && !finishing) {
            scanner.behindEnd();
        }
        handOver();
        return true;
    }

    private boolean place() {
        int shard;
        try {
            shard = placement.shard(scanner.keyValue(), scanner.keyBytes(), scanner.keyOffset(), scanner.keyLength());
        } catch (PgException fault) {
            keyIsFaulty(fault);
            return true;
        }
        waiting = shard == KeyPlacement.UNKNOWN;
        if (waiting) {
            return false;
        }
        rowShard = shard;
        rowHasKey = true;
        if (heldLength > 0) {
            handOver();
            output.bytes(shard, held, 0, heldLength);
            heldLength = 0;
        }
        return true;
    }

    private void keyIsFaulty(PgException fault) {
        int from = scanner.keyOffset();
        keyFault = fault;
        faultyKey = new FaultyKey(
                scanner.keyValue(), Arrays.copyOfRange(scanner.keyBytes(), from, from + scanner.keyLength()));
        waiting = false;
        heldLength = 0;
    }

    private void rowEnds() {
        if (keyFault != null) {
            throw keyFault;
        }
        if (!rowHasKey) {
            rowIsFaulty = true;
            throw CopyFormatErrors.missingColumn(columns.get(scanner.fieldsFound()));
        }
        lines[rowShard].addRow(linesBefore + 1, scanner.line(), scanner.linesAsFirst());
        linesBefore = scanner.line();
        extend(rowShard, at);
        rowsOf[rowShard]++;
        rowShard = NOWHERE;
        rowHasKey = false;
    }

    private void headerEnds() {
        handOver();
        if (heldLength > 0) {
            output.toAll(held, 0, heldLength);
            heldLength = 0;
        }
        output.toAll(bytes, rowStart, at);
        rowStart = at;
        if (scanner.line() > 0) {
            for (LineLog log : lines) {
                log.add(1, scanner.line());
            }
            linesBefore = scanner.line();
        }
    }

    private void pieceEnds() {
        if (rowShard != NOWHERE) {
            extend(rowShard, end);
            handOver();
        } else {
            handOver();
            if (keyFault == null) {
                hold();
            }
        }
    }

    /** Adds the bytes up to here to those that go to a shard. */
    private void extend(int shard, int to) {
        if (shard != runShard || rowStart != runEnd) {
            handOver();
            runShard = shard;
            runStart = rowStart;
        }
        runEnd = to;
        rowStart = to;
    }

    private void handOver() {
        if (runShard != NOWHERE && runEnd > runStart) {
            output.bytes(runShard, bytes, runStart, runEnd);
        }
        runShard = NOWHERE;
        runStart = 0;
        runEnd = 0;
    }

    private void hold() {
        int length = end - rowStart;
        if (length > mostHeldBytes - heldLength) {
            throw SplitErrors.keyTooFar(mostHeldBytes);
        }
        if (held.length - heldLength < length) {
            held = Arrays.copyOf(held, (int) Math.min(mostHeldBytes, Math.max(2L * held.length, heldLength + length)));
        }
        System.arraycopy(bytes, rowStart, held, heldLength, length);
        heldLength += length;
    }
}
