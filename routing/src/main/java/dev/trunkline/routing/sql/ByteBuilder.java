package dev.trunkline.routing.sql;

import java.util.Arrays;

/** A growing array of bytes, cleared and filled again. */
final class ByteBuilder {

    private byte[] array;
    private int length;

    ByteBuilder(int capacity) {
        array = new byte[capacity];
    }

    byte[] array() {
        return array;
    }

    int length() {
        return length;
    }

    void clear() {
        length = 0;
    }

    /** Forgets all bytes from {@code newLength} on. */
    void truncate(int newLength) {
        length = newLength;
    }

    void append(int b) {
        if (length == array.length) {
            grow(1);
        }
        array[length++] = (byte) b;
    }

    void append(byte[] source, int from, int to) {
        int size = to - from;
        if (size > array.length - length) {
            grow(size);
        }
        System.arraycopy(source, from, array, length, size);
        length += size;
    }

    /** Appends the bytes with ASCII letters in lower case. */
    void appendFolded(byte[] source, int from, int to) {
        int size = to - from;
        if (size > array.length - length) {
            grow(size);
        }
        byte[] target = array;
        int at = length;
        for (int i = from; i < to; i++) {
            target[at++] = Bytes.fold(source[i]);
        }
        length = at;
    }

    /** Appends four bytes. */
    void appendInt(int value) {
        append(value >>> 24);
        append(value >>> 16);
        append(value >>> 8);
        append(value);
    }

    /** Whether all bytes after the {@code size} ones at {@code from} repeat those. */
    boolean endsWithSame(int from, int size) {
        int second = from + size;
        return Arrays.equals(array, from, second, array, second, length);
    }

    /** Appends the UTF-8 form of a code point. */
    void appendCodePoint(int codePoint) {
        if (codePoint < 0x80) {
            append(codePoint);
        } else if (codePoint < 0x800) {
            append(0xC0 | (codePoint >> 6));
            append(0x80 | (codePoint & 0x3F));
        } else if (codePoint < 0x10000) {
            append(0xE0 | (codePoint >> 12));
            append(0x80 | ((codePoint >> 6) & 0x3F));
            append(0x80 | (codePoint & 0x3F));
        } else {
            append(0xF0 | (codePoint >> 18));
            append(0x80 | ((codePoint >> 12) & 0x3F));
            append(0x80 | ((codePoint >> 6) & 0x3F));
            append(0x80 | (codePoint & 0x3F));
        }
    }

    byte[] toByteArray() {
        return Arrays.copyOf(array, length);
    }

    private void grow(int extra) {
        array = Arrays.copyOf(array, Math.max(array.length * 2, length + extra));
    }
}
