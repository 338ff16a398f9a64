package dev.trunkline.proxy.backend;

import io.netty.buffer.ByteBuf;

/** Looks into an ErrorResponse frame without decoding it. */
final class ErrorFields {

    private ErrorFields() {}

    /**
     * True when the severity is FATAL or PANIC. The field V holds it in English (PostgreSQL 9.6 and later); S, which
     * may be translated, decides only when V is missing.
     */
    static boolean isFatal(ByteBuf buffer, int start, int end) {
        boolean fatal = false;
        int at = start + 5;
        while (at < end && buffer.getByte(at) != 0) {
            byte field = buffer.getByte(at);
            int stop = buffer.indexOf(at + 1, end, (byte) 0);
            if (stop < 0) {
                return fatal;
            }
            if (field == 'V' || field == 'S') {
                byte first = buffer.getByte(at + 1);
                boolean is = (first == 'F' || first == 'P') && stop - at - 1 == 5;
                if (field == 'V') {
                    return is;
                }
                fatal = is;
            }
            at = stop + 1;
        }
        return fatal;
    }
}
