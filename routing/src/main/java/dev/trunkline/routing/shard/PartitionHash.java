package dev.trunkline.routing.shard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hash by which PostgreSQL places a row in a table that is partitioned {@code BY HASH} over one column: the type's
 * extended hash function, seeded with {@code HASH_PARTITION_SEED} and combined as {@code compute_partition_hash_value}
 * does for a single column.
 *
 * @see <a href="https://github.com/postgres/postgres/blob/REL_18_STABLE/src/common/hashfn.c">hashfn.c</a>
 * @see <a href="https://github.com/postgres/postgres/blob/REL_18_STABLE/src/backend/partitioning/partbounds.c">partbounds.c</a>
 */
public final class PartitionHash {

    /** hash_combine64(0, h) is h plus this constant. */
    private static final long COMBINE = 0x49A0F4DD15E5A8E3L;

    private static final VarHandle LITTLE_ENDIAN_INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private PartitionHash() {}

    /** The row hash of an int2, int4 or int8: the same for equal values of any width. */
    public static long ofLong(long value) {
        int high = (int) (value >>> 32);
        Jenkins state = new Jenkins(Integer.BYTES);
        state.a += (int) value ^ (value >= 0 ? high : ~high);
        return state.finish() + COMBINE;
    }

    /** The row hash of a uuid given as two big-endian longs. */
    public static long ofUuid(long mostSignificant, long leastSignificant) {
        Jenkins state = new Jenkins(2 * Long.BYTES);
        state.a += Integer.reverseBytes((int) (mostSignificant >>> 32));
        state.b += Integer.reverseBytes((int) mostSignificant);
        state.c += Integer.reverseBytes((int) (leastSignificant >>> 32));
        state.mix();
        state.a += Integer.reverseBytes((int) leastSignificant);
        return state.finish() + COMBINE;
    }

    /** The row hash of a text given in the server's encoding. */
    public static long ofBytes(byte[] bytes, int offset, int length) {
        Jenkins state = new Jenkins(length);
        int at = offset;
        int left = length;
        for (; left >= 12; left -= 12, at += 12) {
            state.a += word(bytes, at);
            state.b += word(bytes, at + 4);
            state.c += word(bytes, at + 8);
            state.mix();
        }
        state.a += tail(bytes, at, left);
        state.b += tail(bytes, at + 4, left - 4);
        // The low byte of c is reserved for the length, which the start value already holds.
        state.c += tail(bytes, at + 8, left - 8) << 8;
        return state.finish() + COMBINE;
    }

    /** The remainder of a row hash, which PostgreSQL takes as unsigned. */
    public static int shard(long rowHash, int shardCount) {
        return (int) Long.remainderUnsigned(rowHash, shardCount);
    }

    private static int word(byte[] bytes, int at) {
        return (int) LITTLE_ENDIAN_INT.get(bytes, at);
    }

    /** Up to four bytes as a little-endian word, missing ones as zero. */
    private static int tail(byte[] bytes, int at, int left) {
        if (left >= 4) {
            return word(bytes, at);
        }
        int word = 0;
        for (int i = 0; i < left; i++) {
            word |= (bytes[at + i] & 0xFF) << (8 * i);
        }
        return word;
    }

    /** The three words of Bob Jenkins' lookup3 hash; lives on the stack. */
    private static final class Jenkins {

        /** HASH_PARTITION_SEED, upper and lower half. */
        private static final int SEED_HIGH = 0x7A5B2236;

        private static final int SEED_LOW = 0x7996DCFD;

        private int a;
        private int b;
        private int c;

        Jenkins(int length) {
            int start = 0x9E3779B9 + length + 3923095;
            a = start + SEED_HIGH;
            b = start + SEED_LOW;
            c = start;
            mix();
        }

        void mix() {
            a = (a - c) ^ Integer.rotateLeft(c, 4);
            c += b;
            b = (b - a) ^ Integer.rotateLeft(a, 6);
            a += c;
            c = (c - b) ^ Integer.rotateLeft(b, 8);
            b += a;
            a = (a - c) ^ Integer.rotateLeft(c, 16);
            c += b;
            b = (b - a) ^ Integer.rotateLeft(a, 19);
            a += c;
            c = (c - b) ^ Integer.rotateLeft(b, 4);
            b += a;
        }

        long finish() {
            c = (c ^ b) - Integer.rotateLeft(b, 14);
            a = (a ^ c) - Integer.rotateLeft(c, 11);
            b = (b ^ a) - Integer.rotateLeft(a, 25);
            c = (c ^ b) - Integer.rotateLeft(b, 16);
            a = (a ^ c) - Integer.rotateLeft(c, 4);
            b = (b ^ a) - Integer.rotateLeft(a, 14);
            c = (c ^ b) - Integer.rotateLeft(b, 24);
            return ((long) b << 32) | (c & 0xFFFF_FFFFL);
        }
    }
}
