package dev.trunkline.lookup.map;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * Hashes of keys for the tables of this package; never seen outside of the process.
 *
 * <p>Seeded at random per process, so that nobody can choose key values that all fall into one place of a table. The
 * mixing multiplies to 128 bits and folds the halves, as wyhash does.
 *
 * @see <a href="https://github.com/wangyi-fudan/wyhash">wyhash</a>
 */
final class KeyHash {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Odd, without a pattern in its bits: the golden ratio. */
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private static final long SEED = new SplittableRandom().nextLong() | 1;

    private KeyHash() {}

    static int of(long high, long low) {
        return fold(mix(low ^ SEED, mix(high ^ MULTIPLIER, SEED) ^ MULTIPLIER));
    }

    static int of(byte[] bytes, int offset, int length) {
        long hash = SEED ^ length;
        int at = offset;
        int end = offset + length;
        while (end - at >= Long.BYTES) {
            hash = mix(hash ^ (long) LONGS.get(bytes, at), MULTIPLIER);
            at += Long.BYTES;
        }
        return fold(mix(hash ^ tail(bytes, offset, at, end), MULTIPLIER ^ SEED));
    }

    /** The bytes that are left; of a long text the last eight, some of which have been read already. */
    private static long tail(byte[] bytes, int start, int at, int end) {
        if (end - start >= Long.BYTES) {
            return (long) LONGS.get(bytes, end - Long.BYTES);
        }
        long tail = 0;
        for (int i = end - 1; i >= at; i--) {
            tail = tail << 8 | (bytes[i] & 0xFF);
        }
        return tail;
    }

    /** The first slot to look at, spread evenly over a table of any size. */
    static int slot(int hash, int slots) {
        return (int) ((hash & 0xFFFFFFFFL) * slots >>> Integer.SIZE);
    }

    private static long mix(long a, long b) {
        return Math.multiplyHigh(a, b) ^ a * b;
    }

    private static int fold(long hash) {
        return (int) (hash ^ hash >>> Integer.SIZE);
    }
}
