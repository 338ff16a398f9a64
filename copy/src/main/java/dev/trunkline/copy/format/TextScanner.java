package dev.trunkline.copy.format;

/**
 * The text format: fields between delimiters, rows between line ends, a backslash before what is neither.
 *
 * @see <a href="https://www.postgresql.org/docs/18/sql-copy.html#SQL-COPY-FILE-FORMATS">Text Format</a>
 */
final class TextScanner extends LineScanner {

    private enum State {
        /** Within the fields up to the key's. */
        FIELDS,
        /** Behind the key. */
        REST,
        BACKSLASH,
        /** Behind a backslash and a point. */
        MARKER,
        CARRIAGE_RETURN
    }

    private final LineSearch search;
    private final TextField decoded = new TextField();

    private State state;
    private State behind = State.FIELDS;
    private boolean empty = true;
    private boolean alone;
    private boolean escaped;

    TextScanner(CopyOptions options, int keyField, KeyEncoding encoding) {
        super(options, keyField, encoding);
        this.search = new LineSearch((byte) '\\', options.delimiter());
        this.state = isHeader() ? State.REST : State.FIELDS;
    }

    @Override
    public Event scan(byte[] bytes, int from, int end) {
        int start = from;
        int at = from;
        while (at < end) {
            if (empty) {
                empty = false;
                nextLine();
                alone = bytes[at] == '\\';
            }
            switch (state) {
                case FIELDS -> {
                    at = search.findEither(bytes, at, end);
                    if (at == end) {
                        break;
                    }
                    byte found = bytes[at];
                    if (found == '\\') {
                        at++;
                        escaped = true;
                        backslash();
                    } else if (field == keyField) {
                        state = State.REST;
                        return keyEnds(bytes, start, at);
                    } else if (found == options.delimiter()) {
                        field++;
                        at++;
                        start = at;
                        escaped = false;
                    } else {
                        tooFewFields(field + 1);
                        state = State.REST;
                    }
                }
                case REST -> {
                    at = search.find(bytes, at, end);
                    if (at == end) {
                        break;
                    }
                    byte found = bytes[at++];
                    if (found == '\\') {
                        backslash();
                    } else if (found == '\n') {
                        ends.newline();
                        return rowEnds(at);
                    } else if (ends.carriageReturn()) {
                        state = State.CARRIAGE_RETURN;
                    } else {
                        return rowEnds(at);
                    }
                }
                case BACKSLASH -> {
                    state = bytes[at] == '.' ? State.MARKER : behind;
                    at++;
                    alone &= state == State.MARKER;
                }
                case MARKER -> {
                    return marker(bytes[at], at + 1);
                }
                case CARRIAGE_RETURN -> {
                    return rowEnds(ends.behindCarriageReturn(bytes[at]) ? at + 1 : at);
                }
            }
        }
        boolean inKey =
                field == keyField && (state == State.FIELDS || state == State.BACKSLASH && behind == State.FIELDS);
        if (inKey) {
            keep(bytes, start, end);
        }
        return at(end, Event.MORE);
    }

    private void backslash() {
        behind = state;
        state = State.BACKSLASH;
    }

    @Override
    void readKey(byte[] bytes, int offset, int length) {
        if (isNull(bytes, offset, length)) {
            noKey(KeyValue.NULL);
        } else if (isDefault(bytes, offset, length)) {
            noKey(KeyValue.DEFAULT);
        } else if (escaped) {
            decoded.decode(bytes, offset, length);
            key(KeyValue.VALUE, decoded.bytes(), 0, decoded.length());
        } else {
            key(KeyValue.VALUE, bytes, offset, length);
        }
    }

    private Event rowEnds(int at) {
        state = State.FIELDS;
        empty = true;
        escaped = false;
        return lineEnds(at);
    }

    private Event marker(byte next, int at) {
        if (next != '\n' && next != '\r') {
            throw CopyFormatErrors.corruptEndMarker();
        }
        if (!alone) {
            throw CopyFormatErrors.endMarkerNotAlone();
        }
        boolean fits = switch (ends.style()) {
            case UNKNOWN -> true;
            case NEWLINE -> next == '\n';
            // Of both bytes the second is passed over with what follows.
            case CARRIAGE_RETURN, BOTH -> next == '\r';
        };
        if (!fits) {
            throw CopyFormatErrors.endMarkerNewline();
        }
        return at(at, Event.END);
    }

    @Override
    public Event finish() {
        if (empty) {
            return at(0, Event.END);
        }
        if (state == State.BACKSLASH) {
            state = behind;
        }
        if (state == State.MARKER) {
            throw CopyFormatErrors.corruptEndMarker();
        }
        if (state == State.CARRIAGE_RETURN) {
            ends.aloneCarriageReturn();
        }
        if (state == State.FIELDS && field == keyField) {
            state = State.REST;
            return keyEnds(kept(), 0, 0);
        }
        if (state == State.FIELDS) {
            tooFewFields(field + 1);
        }
        return rowEnds(0);
    }
}
