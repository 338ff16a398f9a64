package dev.trunkline.copy.format;

/** The value of a field of the text format that holds backslashes. */
final class TextField {

    private byte[] bytes = new byte[64];
    private int length;

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** Resolves the sequences of a field as PostgreSQL does; a backslash at its end means nothing. */
    void decode(byte[] text, int offset, int textLength) {
        if (bytes.length < textLength) {
            bytes = new byte[2 * textLength];
        }
        length = 0;
        int end = offset + textLength;
        int at = offset;
        while (at < end) {
            byte each = text[at++];
            if (each != '\\') {
                bytes[length++] = each;
            } else if (at < end) {
                at = sequence(text, at, end);
            }
        }
    }

    private int sequence(byte[] text, int from, int end) {
        byte letter = text[from];
        switch (letter) {
            case 'b' -> bytes[length++] = '\b';
            case 'f' -> bytes[length++] = '\f';
            case 'n' -> bytes[length++] = '\n';
            case 'r' -> bytes[length++] = '\r';
            case 't' -> bytes[length++] = '\t';
            case 'v' -> bytes[length++] = 0x0B;
            case 'x' -> {
                return number(text, from + 1, end, 16, 2, from);
            }
            case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                return number(text, from, end, 8, 3, from);
            }
            default -> bytes[length++] = letter;
        }
        return from + 1;
    }

    /** A byte by its number; without a digit the letter itself. */
    private int number(byte[] text, int from, int end, int base, int mostDigits, int letter) {
        int value = 0;
        int at = from;
        while (at < end && at < from + mostDigits && text[at] > 0 && Character.digit(text[at], base) >= 0) {
            value = value * base + Character.digit(text[at], base);
            at++;
        }
        if (at == from) {
            bytes[length++] = text[letter];
            return letter + 1;
        }
        bytes[length++] = (byte) value;
        return at;
    }
}
