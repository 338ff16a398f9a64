package dev.trunkline.copy.format;

/** What the two formats of lines have in common: a header, ends of lines that are alike, fields that may be cut. */
abstract class LineScanner extends RowScanner {

    final CopyOptions options;
    final int keyField;
    final LineEnds ends;
    private final KeyEncoding encoding;

    /** Of the row that is read, from 0. */
    int field;

    private boolean header;

    LineScanner(CopyOptions options, int keyField, KeyEncoding encoding) {
        this.options = options;
        this.keyField = keyField;
        this.ends = new LineEnds(options.format() == CopyFormat.CSV);
        this.encoding = encoding;
        this.header = options.header();
    }

    /** The row that is read is none. */
    final boolean isHeader() {
        return header;
    }

    /** The key ends here; what has come of it before is kept. */
    final Event keyEnds(byte[] bytes, int start, int at) {
        if (hasKept()) {
            keep(bytes, start, at);
            readEncoded(kept(), 0, keptLength());
            forgetKept();
        } else {
            readEncoded(bytes, start, at - start);
        }
        return at(at, Event.KEY);
    }

    private void readEncoded(byte[] bytes, int offset, int length) {
        byte[] converted = encoding.converted(bytes, offset, length);
        if (converted == null) {
            readKey(bytes, offset, length);
        } else {
            readKey(converted, 0, converted.length);
        }
    }

    /** Reads the text of the key's field. */
    abstract void readKey(byte[] bytes, int offset, int length);

    final boolean isNull(byte[] bytes, int offset, int length) {
        return equal(options.nullText(), bytes, offset, length);
    }

    final boolean isDefault(byte[] bytes, int offset, int length) {
        byte[] defaultText = options.defaultText();
        return defaultText != null && equal(defaultText, bytes, offset, length);
    }

    final Event lineEnds(int at) {
        Event event = header ? Event.HEADER : Event.ROW;
        header = false;
        field = 0;
        forgetKept();
        return at(at, event);
    }
}
