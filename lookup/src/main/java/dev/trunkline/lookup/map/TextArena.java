package dev.trunkline.lookup.map;

import dev.trunkline.routing.key.ShardingKey;
import java.util.Arrays;

/**
 * Byte strings one behind the other on pages of 1 MiB. A string never spans two pages; one that is longer than a page
 * has a page of its own.
 *
 * <p>A place is page number and offset in one int; there are at most 4,095 pages, so that no place equals -1. Before
 * the bytes stands their length: one byte up to 254, else 255 and four bytes.
 */
final class TextArena {

    private static final int PAGE_BITS = 20;
    private static final int PAGE_BYTES = 1 << PAGE_BITS;
    private static final int MAX_PAGES = (1 << (Integer.SIZE - PAGE_BITS)) - 1;
    private static final int LONG_MARK = 255;
    private static final int FIRST_PAGE_BYTES = 256;

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
        byte[][] copy = Arrays.copyOf(pages, Math.max(1, count));
        if (count > 0) {
            copy[count - 1] = copy[count - 1].clone();
        }
        return new TextArena(copy, count, used, bytes);
    }

    /** An arena with the same content and no room to spare. */
    TextArena trimmed() {
        TextArena copy = extended();
        if (count > 0 && copy.pages[count - 1].length > used) {
            copy.bytes -= copy.pages[count - 1].length - used;
            copy.pages[count - 1] = Arrays.copyOf(copy.pages[count - 1], used);
        }
        return copy;
    }

    long bytes() {
        return bytes;
    }

    /** The place of a copy of the bytes. */
    int append(byte[] key) {
        int header = headerBytes(key.length);
        ensureRoom(header + key.length);
        byte[] page = pages[count - 1];
        int place = (count - 1) << PAGE_BITS | used;
        if (header == 1) {
            page[used] = (byte) key.length;
        } else {
            page[used] = (byte) LONG_MARK;
            putLength(page, used + 1, key.length);
        }
        System.arraycopy(key, 0, page, used + header, key.length);
        used += header + key.length;
        return place;
    }

    /** Whether the bytes at a place equal the given ones. */
    boolean holds(int place, byte[] other, int offset, int length) {
        byte[] page = pages[place >>> PAGE_BITS];
        int at = place & (PAGE_BYTES - 1);
        int own = length(page, at);
        int start = at + headerBytes(own);
        return own == length && Arrays.equals(page, start, start + own, other, offset, offset + length);
    }

    /** The bytes at a place as a key. */
    ShardingKey key(int place) {
        byte[] page = pages[place >>> PAGE_BITS];
        int at = place & (PAGE_BYTES - 1);
        int own = length(page, at);
        return ShardingKey.ofText(page, at + headerBytes(own), own);
    }

    private static int length(byte[] page, int at) {
        int first = page[at] & 0xFF;
        return first == LONG_MARK ? getLength(page, at + 1) : first;
    }

    private static int headerBytes(int length) {
        return length < LONG_MARK ? 1 : 1 + Integer.BYTES;
    }

    private void ensureRoom(int needed) {
        if (count > 0 && needed <= pages[count - 1].length - used) {
            return;
        }
        if (count > 0 && used + needed <= PAGE_BYTES) {
            growLastPage(used + needed);
        } else {
            addPage(needed);
        }
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
        int length = Math.max(needed, count == 0 ? FIRST_PAGE_BYTES : PAGE_BYTES);
        pages[count++] = new byte[length];
        bytes += length;
        used = 0;
    }

    private static void putLength(byte[] page, int at, int length) {
        for (int i = 0; i < Integer.BYTES; i++) {
            page[at + i] = (byte) (length >>> 8 * i);
        }
    }

    private static int getLength(byte[] page, int at) {
        int length = 0;
        for (int i = Integer.BYTES - 1; i >= 0; i--) {
            length = length << 8 | (page[at + i] & 0xFF);
        }
        return length;
    }
}
