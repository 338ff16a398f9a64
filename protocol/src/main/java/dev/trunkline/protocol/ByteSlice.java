package dev.trunkline.protocol;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * A range of an array that is not copied; equal by content.
 *
 * <p>Who holds a slice of a buffer that is reused must {@link #copy()} it first. The array is not to be changed.
 */
public final class ByteSlice {

    /** No bytes. */
    public static final ByteSlice EMPTY = new ByteSlice(new byte[0], 0, 0);

    private final byte[] bytes;
    private final int offset;
    private final int length;

    /** The given range of the array, which is kept and not copied. */
    public ByteSlice(byte[] bytes, int offset, int length) {
        this.offset = Objects.checkFromIndexSize(offset, length, bytes.length);
        this.length = length;
        this.bytes = bytes;
    }

    /** The whole array, which is kept and not copied. */
    public static ByteSlice of(byte[] bytes) {
        return new ByteSlice(bytes, 0, bytes.length);
    }

    /** The text in UTF-8. */
    public static ByteSlice of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The array in which the slice lies, from {@link #offset()} on. */
    public byte[] bytes() {
        return bytes;
    }

    public int offset() {
        return offset;
    }

    public int length() {
        return length;
    }

    public boolean isEmpty() {
        return length == 0;
    }

    /** The byte at the index, counted from the start of the slice. */
    public byte get(int index) {
        return bytes[offset + Objects.checkIndex(index, length)];
    }

    /** The content in an array of its own. */
    public byte[] toByteArray() {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    /** The same content in memory of its own. */
    public ByteSlice copy() {
        return of(toByteArray());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ByteSlice that
                && Arrays.equals(bytes, offset, offset + length, that.bytes, that.offset, that.offset + that.length);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }

    /** The content as UTF-8; bytes that are none become U+FFFD. */
    @Override
    public String toString() {
        return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }
}
