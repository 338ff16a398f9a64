package dev.trunkline.routing.sql;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Words eight bytes at a time: most are no longer, and a loop over bytes would cost a mispredicted branch for each word.
 */
final class Words {

    /** How many bytes one step looks at. */
    static final int STEP = 8;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;
    private static final long LOWER_CASE = 0x2020202020202020L;

    private Words() {}

    /** After the word that begins before {@code at}: the first place that holds no byte of a word, at most end. */
    static int end(byte[] text, int at, int end) {
        int i = at;
        while (i + STEP <= end) {
            long others = ~wordBytes(load(text, i)) & HIGH_BITS;
            if (others != 0) {
                return i + (Long.numberOfTrailingZeros(others) >> 3);
            }
            i += STEP;
        }
        while (i < end && Bytes.isWordPart(text[i])) {
            i++;
        }
        return i;
    }

    /** The bytes text[at, at + length), length at most 8, in one number, letters in lower case; zero behind them. */
    static long pack(byte[] text, int at, int length) {
        if (at + STEP <= text.length) {
            return (load(text, at) | LOWER_CASE) & (-1L >>> (64 - length * 8));
        }
        long packed = 0;
        for (int i = length - 1; i >= 0; i--) {
            packed = packed << 8 | ((text[at + i] | 0x20) & 0xFF);
        }
        return packed;
    }

    private static long load(byte[] text, int at) {
        return (long) LONGS.get(text, at);
    }

    /** The high bit of every byte that belongs to words: letters, digits, _ and $, and all beyond ASCII. */
    private static long wordBytes(long bytes) {
        long ascii = bytes & LOW_BITS;
        long lower = ascii | LOWER_CASE;
        long letters = within(lower, 'a', 'z');
        long digits = within(ascii, '0', '9');
        return bytes | letters | digits | within(ascii, '_', '_') | within(ascii, '$', '$');
    }

    /** The high bit of every byte, below 0x80, from low to high. */
    private static long within(long bytes, int low, int high) {
        return (bytes + ONES * (0x80 - low)) & ~(bytes + ONES * (0x7F - high));
    }
}
