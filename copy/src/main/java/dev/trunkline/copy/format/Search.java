package dev.trunkline.copy.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds the first of up to four bytes, eight places at a time.
 *
 * @see <a href="https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord">Determine if a word has a zero byte</a>
 */
final class Search {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHS = 0x8080_8080_8080_8080L;

    private final byte first;
    private final byte second;
    private final byte third;
    private final byte fourth;
    private final long firsts;
    private final long seconds;
    private final long thirds;
    private final long fourths;

    Search(char first, char second, char third) {
        this((byte) first, (byte) second, (byte) third, (byte) third);
    }

    Search(byte first, byte second, byte third, byte fourth) {
        this.first = first;
        this.second = second;
        this.third = third;
        this.fourth = fourth;
        this.firsts = (first & 0xFF) * ONES;
        this.seconds = (second & 0xFF) * ONES;
        this.thirds = (third & 0xFF) * ONES;
        this.fourths = (fourth & 0xFF) * ONES;
    }

    /** The place of the first of them in [from, end), or {@code end}. */
    int find(byte[] bytes, int from, int end) {
        int at = from;
        while (at <= end - Long.BYTES) {
            long eight = (long) LONGS.get(bytes, at);
            long found =
                    zeros(eight ^ firsts) | zeros(eight ^ seconds) | zeros(eight ^ thirds) | zeros(eight ^ fourths);
            if (found != 0) {
                return at + (Long.numberOfTrailingZeros(found) >>> 3);
            }
            at += Long.BYTES;
        }
        while (at < end) {
            byte each = bytes[at];
            if (each == first || each == second || each == third || each == fourth) {
                return at;
            }
            at++;
        }
        return end;
    }

    /** The lowest high bit that is set marks the first zero byte; those above it may be wrong. */
    private static long zeros(long word) {
        return (word - ONES) & ~word & HIGHS;
    }
}
