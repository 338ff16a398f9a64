package dev.trunkline.routing.sql;

/** Joins two successive Unicode escapes that are a surrogate pair. */
final class SurrogatePair {

    private int high;

    /** Whether no first half waits for its second. */
    boolean isComplete() {
        return high == 0;
    }

    /** Appends an escaped code point, or keeps it as a first half; false if PostgreSQL refuses it here. */
    boolean append(int codePoint, ByteBuilder into) {
        boolean isHigh = codePoint >= 0xD800 && codePoint <= 0xDBFF;
        boolean isLow = codePoint >= 0xDC00 && codePoint <= 0xDFFF;
        if (isLow != (high != 0) || codePoint <= 0 || codePoint > 0x10FFFF) {
            high = 0;
            return false;
        }
        if (isHigh) {
            high = codePoint;
        } else {
            into.appendCodePoint(isLow ? 0x10000 + ((high & 0x3FF) << 10) + (codePoint & 0x3FF) : codePoint);
            high = 0;
        }
        return true;
    }
}
