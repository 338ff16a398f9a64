package dev.trunkline.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes frames, one after the other, into an array that grows; reusable by {@link #reset()}.
 *
 * <p>A frame is opened by {@link #begin(byte)} or {@link #beginStartup()} and closed by {@link #end()}, which fills in
 * the length. Not thread-safe.
 */
public final class FrameWriter {

    private static final int NO_FRAME = -1;

    /** Enough for nearly every message that the proxy makes itself. */
    private static final int INITIAL_BYTES = 256;

    private byte[] array;
    private int length;
    private int lengthOffset = NO_FRAME;

    /** An empty writer. */
    public FrameWriter() {
        this(INITIAL_BYTES);
    }

    /** An empty writer with room for the given number of bytes. */
    public FrameWriter(int initialBytes) {
        array = new byte[initialBytes];
    }

    /** Opens a frame of the given type. */
    public void begin(byte type) {
        requireNoFrame();
        int8(type);
        lengthOffset = length;
        int32(0);
    }

    /** Opens one of the packets without type that open a connection. */
    public void beginStartup() {
        requireNoFrame();
        lengthOffset = length;
        int32(0);
    }

    /** Closes the open frame: its length becomes known. */
    public void end() {
        if (lengthOffset == NO_FRAME) {
            throw new IllegalStateException("no frame is open");
        }
        Frame.putInt32(array, lengthOffset, length - lengthOffset);
        lengthOffset = NO_FRAME;
    }

    /** Appends one byte. */
    public void int8(int value) {
        ensure(1);
        array[length++] = (byte) value;
    }

    /** Appends the low 16 bits, which serves counts up to 65535 too. */
    public void int16(int value) {
        ensure(2);
        Frame.putInt16(array, length, value);
        length += 2;
    }

    /** Appends four bytes. */
    public void int32(int value) {
        ensure(4);
        Frame.putInt32(array, length, value);
        length += 4;
    }

    /**
     * Appends the text in UTF-8 and the terminator.
     *
     * @throws IllegalArgumentException if the text holds U+0000, which would end it early for the reader
     */
    public void cstring(String text) {
        if (text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a string of the protocol cannot hold U+0000");
        }
        bytes(text.getBytes(StandardCharsets.UTF_8));
        int8(0);
    }

    /**
     * Appends the bytes and the terminator.
     *
     * @throws IllegalArgumentException if a byte is zero, which would end the string early for the reader
     */
    public void cstring(ByteSlice text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.get(i) == 0) {
                throw new IllegalArgumentException("a string of the protocol cannot hold a zero byte");
            }
        }
        bytes(text);
        int8(0);
    }

    /** Appends the array as it is. */
    public void bytes(byte[] source) {
        raw(source, 0, source.length);
    }

    /** Appends the slice as it is. */
    public void bytes(ByteSlice source) {
        raw(source.bytes(), source.offset(), source.length());
    }

    /** Appends a range as it is: a part of a body, or whole frames when none is open. */
    public void raw(byte[] source, int offset, int count) {
        ensure(count);
        System.arraycopy(source, offset, array, length, count);
        length += count;
    }

    /** What was written, in an array of its own. */
    public byte[] toByteArray() {
        requireNoFrame();
        return Arrays.copyOf(array, length);
    }

    /** The array written to, valid up to {@link #length()} and until the next write. */
    public byte[] array() {
        return array;
    }

    /** The number of bytes written since the last {@link #reset()}. */
    public int length() {
        return length;
    }

    /** Forgets what was written, and an open frame with it; the array is kept for reuse. */
    public void reset() {
        length = 0;
        lengthOffset = NO_FRAME;
    }

    private void requireNoFrame() {
        if (lengthOffset != NO_FRAME) {
            throw new IllegalStateException("a frame is open");
        }
    }

    private void ensure(int count) {
        int needed = Math.addExact(length, count);
        if (needed > array.length) {
            // Doubling stops short of the largest array that a JVM allots.
            int doubled = (int) Math.min(2L * array.length, Integer.MAX_VALUE - 8);
            array = Arrays.copyOf(array, Math.max(needed, doubled));
        }
    }
}
