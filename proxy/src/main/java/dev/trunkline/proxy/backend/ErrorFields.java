package dev.trunkline.proxy.backend;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Looks into an ErrorResponse frame without decoding it. */
final class ErrorFields {

    private ErrorFields() {}

    /** True when the frame holds fields and the zero behind them, and nothing else. */
    static boolean isWhole(ByteBuf buffer, int start, int end) {
        int at = start + 5;
        while (at < end && buffer.getByte(at) != 0) {
            int stop = buffer.indexOf(at + 1, end, (byte) 0);
            if (stop < 0) {
                return false;
            }
            at = stop + 1;
        }
        return at == end - 1;
    }

    /** PostgreSQL's function that finds a prepared statement's result to have another shape than when it was parsed. */
    private static final String STALE_PLAN_ROUTINE = "RevalidateCachedQuery";

    /**
     * True for "cached plan must not change result type": a definition has changed, and the statement fails until it is
     * prepared anew. Told by the field R, which no locale translates; the SQLSTATE stands for much else.
     */
    static boolean isStalePlan(ByteBuf buffer, int start, int end) {
        int at = start + 5;
        while (at < end && buffer.getByte(at) != 0) {
            int stop = buffer.indexOf(at + 1, end, (byte) 0);
            if (stop < 0) {
                return false;
            }
            if (buffer.getByte(at) == 'R') {
                return buffer.toString(at + 1, stop - at - 1, StandardCharsets.US_ASCII)
                        .equals(STALE_PLAN_ROUTINE);
            }
            at = stop + 1;
        }
        return false;
    }

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
