package dev.trunkline.copy.format;

/**
 * The CSV format: a quoted piece of a field may hold whatever ends a field or a row elsewhere.
 *
 * @see <a href="https://www.postgresql.org/docs/18/sql-copy.html#SQL-COPY-FILE-FORMATS">CSV Format</a>
 */
final class CsvScanner extends RowScanner {

    private enum State {
        /** Within the fields up to the key's, outside of quotes. */
        FIELDS,
        FIELDS_QUOTED,
        /** Behind the key, outside of quotes. */
        REST,
        REST_QUOTED,
        /** Behind an escape within quotes. */
        ESCAPE,
        CARRIAGE_RETURN
    }

    private static final int MARKER_BYTES = 2;

    private final CopyOptions options;
    private final int keyField;
    private final boolean forceNull;
    private final boolean forceNotNull;
    private final boolean hasMarker;
    private final boolean hasEscape;
    private final LineEnds ends = new LineEnds(true);
    private final Search rest;
    private final Search quotedNewlines;
    private final Search quotedReturns;
    private final CsvField decoded;

    private State state;
    private State behind = State.FIELDS_QUOTED;
    private boolean header;
    private boolean quoted;
    private int field;
    // How long the row is so far, up to three, and how it begins.
    private int rowLength;
    private byte first;
    private byte second;
    // Where the row goes on in this piece, and how much of it came before, up to three.
    private int rowBegin;
    private int rowBytesBefore;

    CsvScanner(CopyOptions options, int keyField, String keyColumn, boolean hasMarker) {
        this.options = options;
        this.keyField = keyField;
        this.forceNull = options.forcesNull(keyColumn);
        this.forceNotNull = options.forcesNotNull(keyColumn);
        this.hasMarker = hasMarker;
        this.hasEscape = options.escape() != options.quote();
        this.rest = new Search(options.quote(), (byte) '\n', (byte) '\r');
        this.quotedNewlines = new Search(options.quote(), options.escape(), (byte) '\n');
        this.quotedReturns = new Search(options.quote(), options.escape(), (byte) '\r');
        this.decoded = new CsvField(options.quote(), options.escape());
        this.header = options.header();
        this.state = start();
    }

    private State start() {
        return header ? State.REST : State.FIELDS;
    }

    @Override
    public Event scan(byte[] bytes, int from, int end) {
        int start = from;
        int at = from;
        if (rowLength > 0) {
            begin(bytes, from, end);
        }
        while (at < end) {
            if (rowLength == 0) {
                nextLine();
                begin(bytes, at, end);
            }
            switch (state) {
                case FIELDS -> {
                    at = endOfPiece(bytes, at, end);
                    if (at == end) {
                        break;
                    }
                    byte found = bytes[at];
                    if (found == options.quote()) {
                        quoted = true;
                        state = State.FIELDS_QUOTED;
                        at++;
                    } else if (found != options.delimiter() && isMarker(at)) {
                        return at(at + 1, Event.END);
                    } else if (field == keyField) {
                        return keyEnds(bytes, start, at);
                    } else if (found == options.delimiter()) {
                        field++;
                        at++;
                        start = at;
                        quoted = false;
                    } else {
                        tooFewFields(field + 1);
                        state = State.REST;
                    }
                }
                case REST -> {
                    at = rest.find(bytes, at, end);
                    if (at == end) {
                        break;
                    }
                    byte found = bytes[at++];
                    if (found == options.quote()) {
                        state = State.REST_QUOTED;
                    } else if (found == '\n') {
                        ends.newline();
                        return rowEnds(at);
                    } else if (ends.carriageReturn()) {
                        state = State.CARRIAGE_RETURN;
                    } else {
                        return rowEnds(at);
                    }
                }
                case FIELDS_QUOTED, REST_QUOTED -> {
                    byte counted = ends.counted();
                    at = (counted == '\n' ? quotedNewlines : quotedReturns).find(bytes, at, end);
                    if (at < end) {
                        within(bytes[at], counted);
                        at++;
                    }
                }
                case ESCAPE -> {
                    state = behind;
                    byte next = bytes[at];
                    if (next == options.quote() || next == options.escape()) {
                        at++;
                    }
                }
                case CARRIAGE_RETURN -> {
                    return rowEnds(ends.behindCarriageReturn(bytes[at]) ? at + 1 : at);
                }
            }
        }
        if (field == keyField && isBeforeKey()) {
            keep(bytes, start, end);
        }
        return at(end, Event.MORE);
    }

    private boolean isBeforeKey() {
        return switch (state) {
            case FIELDS, FIELDS_QUOTED -> true;
            case ESCAPE -> behind == State.FIELDS_QUOTED;
            case REST, REST_QUOTED, CARRIAGE_RETURN -> false;
        };
    }

    /** The end of the field or a quote. */
    private int endOfPiece(byte[] bytes, int from, int end) {
        int at = from;
        byte delimiter = options.delimiter();
        byte quote = options.quote();
        while (at < end) {
            byte each = bytes[at];
            if (each == delimiter || each == quote || each == '\n' || each == '\r') {
                return at;
            }
            at++;
        }
        return end;
    }

    /** Within quotes: their end, an escape, or the end of a line. */
    private void within(byte found, byte counted) {
        if (found == options.quote()) {
            state = state == State.FIELDS_QUOTED ? State.FIELDS : State.REST;
        } else if (found == counted) {
            nextLine();
        } else if (hasEscape) {
            behind = state;
            state = State.ESCAPE;
        }
    }

    // ---- the marker that ends the data

    /** The row begins here, or goes on with a new piece: notes its first bytes. */
    private void begin(byte[] bytes, int from, int end) {
        rowBegin = from;
        rowBytesBefore = rowLength;
        rowLength = (int) Math.min(MARKER_BYTES + 1, (long) rowLength + end - from);
        if (rowBytesBefore == 0 && from < end) {
            first = bytes[from];
        }
        int place = from + 1 - rowBytesBefore;
        if (rowBytesBefore < MARKER_BYTES && place < end) {
            second = bytes[place];
        }
    }

    /** True when the line that ends here holds a backslash and a point alone. */
    private boolean isMarker(int at) {
        return hasMarker && rowBytesBefore + at - rowBegin == MARKER_BYTES && first == '\\' && second == '.';
    }

    // ---- key and row

    private Event keyEnds(byte[] bytes, int start, int at) {
        if (hasKept()) {
            keep(bytes, start, at);
            readKey(kept(), 0, keptLength());
            forgetKept();
        } else {
            readKey(bytes, start, at - start);
        }
        state = State.REST;
        return at(at, Event.KEY);
    }

    private void readKey(byte[] bytes, int offset, int length) {
        byte[] defaultText = options.defaultText();
        if (!quoted) {
            if (equal(options.nullText(), bytes, offset, length)) {
                nullKey();
            } else if (defaultText != null && equal(defaultText, bytes, offset, length)) {
                noKey(KeyValue.DEFAULT);
            } else {
                key(KeyValue.VALUE, bytes, offset, length);
            }
            return;
        }
        decoded.decode(bytes, offset, length);
        if (forceNull && equal(options.nullText(), decoded.bytes(), decoded.offset(), decoded.length())) {
            noKey(KeyValue.NULL);
        } else {
            key(KeyValue.VALUE, decoded.bytes(), decoded.offset(), decoded.length());
        }
    }

    /** With FORCE_NOT_NULL the spelling of NULL is a value, which FORCE_NULL makes NULL again. */
    private void nullKey() {
        if (forceNotNull && !forceNull) {
            key(KeyValue.VALUE, options.nullText(), 0, options.nullText().length);
        } else {
            noKey(KeyValue.NULL);
        }
    }

    private Event rowEnds(int at) {
        Event event = header ? Event.HEADER : Event.ROW;
        header = false;
        state = State.FIELDS;
        quoted = false;
        field = 0;
        rowLength = 0;
        forgetKept();
        return at(at, event);
    }

    @Override
    public Event finish() {
        if (rowLength == 0) {
            return at(0, Event.END);
        }
        switch (state) {
            case FIELDS_QUOTED, REST_QUOTED, ESCAPE -> {
                // What a header holds is read by the servers alone, and by them if it is to match.
                if (!header) {
                    throw CopyFormatErrors.unterminatedQuote();
                }
            }
            case CARRIAGE_RETURN -> ends.aloneCarriageReturn();
            case FIELDS -> {
                if (field == keyField) {
                    return keyEnds(kept(), 0, 0);
                }
                tooFewFields(field + 1);
            }
            case REST -> {}
        }
        return rowEnds(0);
    }
}
