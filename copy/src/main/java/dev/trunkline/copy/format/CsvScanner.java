package dev.trunkline.copy.format;

/**
 * The CSV format: a quoted piece of a field may hold whatever ends a field or a row elsewhere.
 *
 * @see <a href="https://www.postgresql.org/docs/18/sql-copy.html#SQL-COPY-FILE-FORMATS">CSV Format</a>
 */
final class CsvScanner extends LineScanner {

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

    private final boolean forceNull;
    private final boolean forceNotNull;
    private final boolean hasMarker;
    private final LineSearch outside;
    private final LineSearch within;
    private final boolean hasEscape;
    private final CsvField decoded;

    private State state;
    private State behind = State.FIELDS_QUOTED;
    private boolean quoted;
    /** Carriage returns within quotes of this row. */
    private int quotedReturns;
    /** The same of the row before. */
    private int quotedReturnsBefore;
    // How long the row is so far, up to three, and how it begins.
    private int rowLength;
    private byte first;
    private byte second;
    // Where the row goes on in this piece, and how much of it came before, up to three.
    private int rowBegin;
    private int rowBytesBefore;

    CsvScanner(CopyOptions options, int keyField, String keyColumn, boolean hasMarker, KeyEncoding encoding) {
        super(options, keyField, encoding);
        this.forceNull = options.forcesNull(keyColumn);
        this.forceNotNull = options.forcesNotNull(keyColumn);
        this.hasMarker = hasMarker;
        this.outside = new LineSearch(options.quote(), options.delimiter());
        this.within = new LineSearch(options.quote(), options.escape());
        this.hasEscape = options.escape() != options.quote();
        this.decoded = new CsvField(options.quote(), options.escape());
        this.state = isHeader() ? State.REST : State.FIELDS;
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
                    at = outside.findEither(bytes, at, end);
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
                        state = State.REST;
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
                    at = outside.find(bytes, at, end);
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
                    at = hasEscape ? within.findEither(bytes, at, end) : within.find(bytes, at, end);
                    if (at < end - 1 && bytes[at] == options.quote() && bytes[at + 1] == options.quote()) {
                        // Out of the quotes and into them again.
                        at += 2;
                    } else if (at < end) {
                        within(bytes[at]);
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

    /** Within quotes: their end, an escape, or the end of a line. */
    private void within(byte found) {
        if (found == options.quote()) {
            state = state == State.FIELDS_QUOTED ? State.FIELDS : State.REST;
        } else if (found == '\n' || found == '\r') {
            if (found == ends.counted()) {
                nextLine();
            }
            quotedReturns += found == '\r' ? 1 : 0;
        } else {
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

    @Override
    void readKey(byte[] bytes, int offset, int length) {
        if (quoted) {
            decoded.decode(bytes, offset, length);
            if (forceNull && isNull(decoded.bytes(), decoded.offset(), decoded.length())) {
                noKey(KeyValue.NULL);
            } else {
                key(KeyValue.VALUE, decoded.bytes(), decoded.offset(), decoded.length());
            }
        } else if (isNull(bytes, offset, length)) {
            nullKey();
        } else if (isDefault(bytes, offset, length)) {
            noKey(KeyValue.DEFAULT);
        } else {
            key(KeyValue.VALUE, bytes, offset, length);
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

    @Override
    public int linesAsFirst() {
        return 1 + quotedReturnsBefore;
    }

    private Event rowEnds(int at) {
        state = State.FIELDS;
        quoted = false;
        rowLength = 0;
        quotedReturnsBefore = quotedReturns;
        quotedReturns = 0;
        return lineEnds(at);
    }

    @Override
    public Event finish() {
        if (rowLength == 0) {
            return at(0, Event.END);
        }
        switch (state) {
            case FIELDS_QUOTED, REST_QUOTED, ESCAPE -> {
                // What a header holds is read by the servers alone, and by them if it is to match.
                if (!isHeader()) {
                    throw CopyFormatErrors.unterminatedQuote();
                }
            }
            case CARRIAGE_RETURN -> ends.aloneCarriageReturn();
            case FIELDS -> {
                if (field == keyField) {
                    state = State.REST;
                    return keyEnds(kept(), 0, 0);
                }
                tooFewFields(field + 1);
            }
            case REST -> {}
        }
        return rowEnds(0);
    }
}
