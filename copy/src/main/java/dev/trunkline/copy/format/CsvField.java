package dev.trunkline.copy.format;

/** The value of a field of the CSV format that holds quotes. */
final class CsvField {

    private final byte quote;
    private final byte escape;
    private byte[] room = new byte[64];
    private byte[] bytes = room;
    private int offset;
    private int length;

    CsvField(byte quote, byte escape) {
        this.quote = quote;
        this.escape = escape;
    }

    byte[] bytes() {
        return bytes;
    }

    int offset() {
        return offset;
    }

    int length() {
        return length;
    }

    /** Takes the quotes away and resolves escapes; in place where the quotes merely stand around the value. */
    void decode(byte[] text, int from, int textLength) {
        if (isPlain(text, from, textLength)) {
            bytes = text;
            offset = from + 1;
            length = textLength - 2;
            return;
        }
        if (room.length < textLength) {
            room = new byte[2 * textLength];
        }
        bytes = room;
        offset = 0;
        length = 0;
        resolve(text, from, from + textLength);
    }

    private boolean isPlain(byte[] text, int from, int textLength) {
        int last = from + textLength - 1;
        if (textLength < 2 || text[from] != quote || text[last] != quote) {
            return false;
        }
        for (int i = from + 1; i < last; i++) {
            if (text[i] == quote || text[i] == escape) {
                return false;
            }
        }
        return true;
    }

    private void resolve(byte[] text, int from, int end) {
        boolean within = false;
        int at = from;
        while (at < end) {
            byte each = text[at++];
            if (!within) {
                if (each == quote) {
                    within = true;
                } else {
                    room[length++] = each;
                }
            } else if (each == escape && at < end && (text[at] == escape || text[at] == quote)) {
                room[length++] = text[at++];
            } else if (each == quote) {
                within = false;
            } else {
                room[length++] = each;
            }
        }
    }
}
