package dev.trunkline.proxy.auth;

import dev.trunkline.protocol.ByteSlice;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the attributes of a SCRAM message: {@code a=value,b=value,…}, in an order that RFC 5802 fixes.
 *
 * <p>Every fault is a {@link SyntaxException}; each side makes its own error of it.
 */
final class ScramMessage {

    /** One character per byte, so that a message turns back into the very bytes it was: proofs are computed over them. */
    private static final Charset BYTES = StandardCharsets.ISO_8859_1;

    private final String text;
    private int position;

    /** A cursor at the start of the message. */
    ScramMessage(ByteSlice data) {
        text = text(data);
    }

    /** What is wrong with a message. */
    static final class SyntaxException extends Exception {

        private static final long serialVersionUID = 1L;

        SyntaxException(String message) {
            super(message, null, false, false);
        }

        /** What is wrong, to be put into a sentence. */
        String reason() {
            return String.valueOf(getMessage());
        }
    }

    /** The bytes as text of one character each. */
    static String text(ByteSlice data) {
        return new String(data.bytes(), data.offset(), data.length(), BYTES);
    }

    /** The bytes of a text made by {@link #text}. */
    static byte[] bytes(String text) {
        return text.getBytes(BYTES);
    }

    /** The text as data of a message. */
    static ByteSlice slice(String text) {
        return ByteSlice.of(bytes(text));
    }

    static String base64(byte[] value) {
        return Base64.getEncoder().encodeToString(value);
    }

    static byte[] unbase64(String value) throws SyntaxException {
        try {
            return Base64.getDecoder().decode(bytes(value));
        } catch (IllegalArgumentException e) {
            throw new SyntaxException("a value is not Base64");
        }
    }

    /** The value of the attribute that has to come next. */
    String required(char name) throws SyntaxException {
        String value = optional(name);
        if (value == null) {
            throw new SyntaxException("attribute \"" + name + "\" is missing");
        }
        return value;
    }

    /** The value of the attribute if it comes next; null otherwise. */
    @Nullable
    String optional(char name) {
        if (position + 1 >= text.length() || text.charAt(position) != name || text.charAt(position + 1) != '=') {
            return null;
        }
        String field = next();
        return field.substring(2);
    }

    /** The field up to the next comma, attribute or not. */
    String next() {
        int comma = text.indexOf(',', position);
        int end = comma < 0 ? text.length() : comma;
        String field = text.substring(Math.min(position, end), end);
        position = end + 1;
        return field;
    }

    /** What is left from the cursor on. */
    String rest() {
        return text.substring(Math.min(position, text.length()));
    }

    /** Whether all was read. */
    boolean isAtEnd() {
        return position >= text.length();
    }

    /** The nonce, if it has the form of one: printable ASCII. */
    static String nonce(String value) throws SyntaxException {
        if (value.isEmpty() || !value.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new SyntaxException("the nonce is empty or not printable");
        }
        return value;
    }
}
