package dev.trunkline.routing.sql;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * A 64-bit hash of bytes under keys drawn anew in each process, so that clients cannot make statements collide. It
 * only finds candidates: equality is decided on the bytes. It takes 16 bytes per step and folds the 128-bit product of
 * two keyed words, as the wyhash family does.
 */
final class Fingerprint {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long KEY_0;
    private static final long KEY_1;
    private static final long KEY_2;

    static {
        SecureRandom random = new SecureRandom();
        KEY_0 = random.nextLong() | 1;
        KEY_1 = random.nextLong() | 1;
        KEY_2 = random.nextLong() | 1;
    }

    private Fingerprint() {}

    /** The hash of bytes[0, length). */
    static long of(byte[] bytes, int length) {
        long hash = KEY_0 ^ length;
        int i = 0;
        for (; i + 16 <= length; i += 16) {
            hash = fold(word(bytes, i) ^ KEY_1, word(bytes, i + 8) ^ hash);
        }
        long a = 0;
        long b = 0;
        if (length - i >= 8) {
            a = word(bytes, i);
            i += 8;
        }
        for (; i < length; i++) {
            b = (b << 8) | (bytes[i] & 0xFF);
        }
        return fold(fold(a ^ KEY_1, b ^ hash) ^ KEY_2, length ^ KEY_1);
    }

    private static long word(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    private static long fold(long a, long b) {
        return Math.multiplyHigh(a, b) ^ (a * b);
    }
}
