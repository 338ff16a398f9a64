package dev.trunkline.copy.format;

/** How the lines of a stream end: as the first one does. */
final class LineEnds {

    /** The ways. */
    enum Style {
        UNKNOWN,
        NEWLINE,
        CARRIAGE_RETURN,
        BOTH
    }

    private final boolean csv;
    private Style style = Style.UNKNOWN;

    LineEnds(boolean csv) {
        this.csv = csv;
    }

    Style style() {
        return style;
    }

    /** A newline that no carriage return stands before ends a line. */
    void newline() {
        if (style == Style.CARRIAGE_RETURN || style == Style.BOTH) {
            throw CopyFormatErrors.unexpectedNewline(csv);
        }
        style = Style.NEWLINE;
    }

    /** A carriage return ends a line. True when a newline may follow that belongs to it. */
    boolean carriageReturn() {
        if (style == Style.NEWLINE) {
            throw CopyFormatErrors.unexpectedCarriageReturn(csv);
        }
        return style != Style.CARRIAGE_RETURN;
    }

    /** What follows the carriage return. True when it belongs to it. */
    boolean behindCarriageReturn(byte next) {
        if (next == '\n') {
            style = Style.BOTH;
            return true;
        }
        aloneCarriageReturn();
        return false;
    }

    void aloneCarriageReturn() {
        if (style == Style.BOTH) {
            throw CopyFormatErrors.unexpectedCarriageReturn(csv);
        }
        style = Style.CARRIAGE_RETURN;
    }

    /** The byte that PostgreSQL counts lines by within quotes. */
    byte counted() {
        return (byte) (style == Style.NEWLINE ? '\n' : '\r');
    }
}
