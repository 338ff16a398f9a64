package dev.trunkline.copy.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds the end of a line or one of two other bytes, eight places at a time. Of a word the lowest mark is true, those
 * above it may be wrong.
 *
 * @see <a href="https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord">Determine if a word has a zero byte</a>
 */
final class LineSearch {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHS = 0x8080_8080_8080_8080L;

    /** With these bits turned, the control characters from newline (0x0A) to 0x0F are the bytes below six. */
    private static final long TURNED = 0x0F * ONES;

    private static final long SIXES = 6 * ONES;

    private final byte first;
    private final byte second;
    private final long firsts;
    private final long seconds;

    LineSearch(byte first) {
        this(first, first);
    }

    LineSearch(byte first, byte second) {
        this.first = first;
        this.second = second;
        this.firsts = (first & 0xFF) * ONES;
        this.seconds = (second & 0xFF) * ONES;
    }

    /** The place of the first newline, carriage return or {@code first} in [from, end), or {@code end}. */
    int find(byte[] bytes, int from, int end) {
        int at = from;
        while (at <= end - Long.BYTES) {
            long found = marks(bytes, at);
            // Most of the bytes are behind the key: there two words are looked at in one go.
            if (found == 0 && at <= end - 2 * Long.BYTES) {
                at += Long.BYTES;
                found = marks(bytes, at);
            }
            if (found == 0) {
                at += Long.BYTES;
            } else {
                at += Long.numberOfTrailingZeros(found) >>> 3;
                byte each = bytes[at];
                if (each == '\n' || each == '\r' || each == first) {
                    return at;
                }
                at++;
            }
        }
        while (at < end && bytes[at] != '\n' && bytes[at] != '\r' && bytes[at] != first) {
            at++;
        }
        return at;
    }

    private long marks(byte[] bytes, int at) {
        long eight = (long) LONGS.get(bytes, at);
        return controls(eight) | zeros(eight ^ firsts);
    }

    /** The same with {@code second}. */
    int findEither(byte[] bytes, int from, int end) {
        int at = from;
        while (at <= end - Long.BYTES) {
            long eight = (long) LONGS.get(bytes, at);
            long found = controls(eight) | zeros(eight ^ firsts) | zeros(eight ^ seconds);
            if (found == 0) {
                at += Long.BYTES;
            } else {
                at += Long.numberOfTrailingZeros(found) >>> 3;
                if (isOne(bytes[at])) {
                    return at;
                }
                at++;
            }
        }
        while (at < end && !isOne(bytes[at])) {
            at++;
        }
        return at;
    }

    private boolean isOne(byte each) {
        return each == '\n' || each == '\r' || each == first || each == second;
    }

    private static long controls(long word) {
        long turned = word ^ TURNED;
        return (turned - SIXES) & ~turned & HIGHS;
    }

    private static long zeros(long word) {
        return (word - ONES) & ~word & HIGHS;
    }
}
