package dev.trunkline.lookup.map;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The entries of a {@link TextKeyMap} one behind the other on pages of 1 MiB. An entry never spans two pages; one that
 * is longer than a page has a page of its own.
 *
 * <pre>
 *   int32 number of the value | byte length, below 254 | key
 *   int32 number of the value | 254                            the key is the value itself
 *   int32 number of the value | 255 | int32 length     | key
 * </pre>
 *
 * <p>A place is page number and offset in one int, never 0.
 */
final class TextArena {

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int PAGE_BITS = 20;
    private static final int PAGE_BYTES = 1 << PAGE_BITS;
    private static final int MAX_PAGES = 1 << (Integer.SIZE - PAGE_BITS);
    private static final int FIRST_PAGE_BYTES = 256;

    private static final int NUMBER_BYTES = Integer.BYTES;
    private static final int AS_VALUE = 254;
    private static final int LONG = 255;

    private byte[][] pages;
    private int count;
    /** Bytes in use on the last page. */
    private int used;

    private long bytes;

    TextArena() {
        pages = new byte[1][];
    }

    private TextArena(byte[][] pages, int count, int used, long bytes) {
        this.pages = pages;
        this.count = count;
        this.used = used;
        this.bytes = bytes;
    }

    /** An arena with the same content to append to; full pages are shared, the last one is not. */
    TextArena extended() {
        return copy(count == 0 ? 0 : pages[count - 1].length);
    }

    /** An arena with the same content and no room to spare. */
    TextArena trimmed() {
        return copy(used);
    }

    private TextArena copy(int lastPageBytes) {
        byte[][] copy = Arrays.copyOf(pages, Math.max(1, count));
        long saved = 0;
        if (count > 0) {
            saved = copy[count - 1].length - lastPageBytes;
            copy[count - 1] = Arrays.copyOf(copy[count - 1], lastPageBytes);
        }
        return new TextArena(copy, count, used, bytes - saved);
    }

    long bytes() {
        return bytes;
    }

    /** Appends an entry; its place. */
    int append(byte[] key, int number) {
        boolean isLong = key.length >= AS_VALUE;
        int header = NUMBER_BYTES + 1 + (isLong ? Integer.BYTES : 0);
        int at = reserve(header + key.length);
        byte[] page = pages[count - 1];
        INTS.set(page, at, number);
        page[at + NUMBER_BYTES] = (byte) (isLong ? LONG : key.length);
        if (isLong) {
            INTS.set(page, at + NUMBER_BYTES + 1, key.length);
        }
        System.arraycopy(key, 0, page, at + header, key.length);
        return place(at);
    }

    /** Appends an entry whose key is its value; its place. */
    int appendAsValue(int number) {
        int at = reserve(NUMBER_BYTES + 1);
        INTS.set(pages[count - 1], at, number);
        pages[count - 1][at + NUMBER_BYTES] = (byte) AS_VALUE;
        return place(at);
    }

    /** The number of the value of the entry at a place. */
    int number(int place) {
        return (int) INTS.get(pages[place >>> PAGE_BITS], place & (PAGE_BYTES - 1));
    }

    /**
     * Whether the key of the entry at a place equals the given bytes.
     *
     * @param value the bytes of the entry's value
     */
    boolean holds(int place, byte[] value, byte[] other, int offset, int length) {
        byte[] page = pages[place >>> PAGE_BITS];
        int at = (place & (PAGE_BYTES - 1)) + NUMBER_BYTES;
        int own = page[at++] & 0xFF;
        if (own == AS_VALUE) {
            return Arrays.equals(value, 0, value.length, other, offset, offset + length);
        }
        if (own == LONG) {
            own = (int) INTS.get(page, at);
            at += Integer.BYTES;
        }
        return own == length && Arrays.equals(page, at, at + own, other, offset, offset + length);
    }

    /** A copy of the key of the entry at a place. */
    byte[] key(int place, byte[] value) {
        byte[] page = pages[place >>> PAGE_BITS];
        int at = (place & (PAGE_BYTES - 1)) + NUMBER_BYTES;
        int own = page[at++] & 0xFF;
        if (own == AS_VALUE) {
            return value.clone();
        }
        if (own == LONG) {
            own = (int) INTS.get(page, at);
            at += Integer.BYTES;
        }
        return Arrays.copyOfRange(page, at, at + own);
    }

    private int place(int at) {
        return (count - 1) << PAGE_BITS | at;
    }

    /** Where on the last page there is room for this many bytes, which are in use from now on. */
    private int reserve(int needed) {
        if (count == 0 || needed > pages[count - 1].length - used) {
            if (count > 0 && used + needed <= PAGE_BYTES) {
                growLastPage(used + needed);
            } else {
                addPage(needed);
            }
        }
        int at = used;
        used += needed;
        return at;
    }

    private void growLastPage(int needed) {
        byte[] page = pages[count - 1];
        int length = Math.min(PAGE_BYTES, Math.max(needed, 2 * page.length));
        bytes += length - page.length;
        pages[count - 1] = Arrays.copyOf(page, length);
    }

    private void addPage(int needed) {
        if (count == MAX_PAGES) {
            throw MapFault.tooLarge(count, (long) MAX_PAGES * PAGE_BYTES);
        }
        if (count == pages.length) {
            pages = Arrays.copyOf(pages, 2 * count);
        }
        // The first byte of the first page stays free, so that no place is 0.
        used = count == 0 ? 1 : 0;
        int length = Math.max(needed + used, count == 0 ? FIRST_PAGE_BYTES : PAGE_BYTES);
        pages[count++] = new byte[length];
        bytes += length;
    }
}
