package dev.trunkline.harness.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Backend messages on one line each: the type, and what it holds.
 *
 * <pre>
 * R 0               AuthenticationOk           T id:23|name:1043  RowDescription, columns with their types
 * S TimeZone=UTC    ParameterStatus            D 1|ada|\N         DataRow; \N = NULL, \x00ff = not printable
 * Z I               ReadyForQuery              C INSERT 0 1       CommandComplete
 * E 42P01 text      ErrorResponse              N 00000 text       NoticeResponse
 * A channel|text    NotificationResponse       t 23|25            ParameterDescription
 * G 0|2, H, W       COPY starts: format, columns                  d data   CopyData
 * 1 2 3 n s I c K   the type alone
 * </pre>
 */
public final class Notation {

    private Notation() {}

    /** The notation of a backend message; a malformed one shows its bytes. */
    public static String of(Frame frame) {
        try {
            String content = content(frame);
            return content.isEmpty() ? String.valueOf(frame.type()) : frame.type() + " " + content;
        } catch (BufferUnderflowException | NegativeArraySizeException | IllegalArgumentException e) {
            return frame.type() + " \\x" + HexFormat.of().formatHex(frame.body());
        }
    }

    /**
     * True if a message fits a pattern: its whole notation, its type alone, or a beginning of it that ends with
     * {@code *}. For errors and notices the SQLSTATE is enough: {@code E 42P01}.
     */
    public static boolean fits(Frame frame, String pattern) {
        String notation = of(frame);
        if (pattern.length() == 1) {
            return pattern.charAt(0) == frame.type();
        }
        if (pattern.endsWith("*")) {
            return notation.startsWith(pattern.substring(0, pattern.length() - 1));
        }
        boolean message = frame.type() == 'E' || frame.type() == 'N';
        return notation.equals(pattern) || message && notation.startsWith(pattern + " ");
    }

    /** The fields of an ErrorResponse or a NoticeResponse by their type, for instance 'C' for the SQLSTATE. */
    public static Map<Character, String> fields(Frame frame) {
        Map<Character, String> fields = new LinkedHashMap<>();
        FrameBody body = frame.reader();
        for (int type = body.int8(); type != 0; type = body.int8()) {
            fields.put((char) type, body.string());
        }
        return fields;
    }

    /** The values of a DataRow as text; null for NULL, {@code \x…} for what is not printable UTF-8. */
    public static List<@Nullable String> values(Frame frame) {
        List<@Nullable String> values = new ArrayList<>();
        FrameBody body = frame.reader();
        for (int left = body.int16(); left > 0; left--) {
            byte[] value = body.value();
            values.add(value == null ? null : text(value));
        }
        return values;
    }

    /** The columns of a RowDescription as {@code name:type}, the type by its OID. */
    public static List<String> columns(Frame frame) {
        List<String> columns = new ArrayList<>();
        FrameBody body = frame.reader();
        for (int left = body.int16(); left > 0; left--) {
            String name = body.string();
            body.skip(6); // the table's OID and the column's number in it
            columns.add(name + ":" + body.int32());
            body.skip(8); // size, modifier, format
        }
        return columns;
    }

    /** Text as it is if it is printable UTF-8, else {@code \x} and hexadecimal digits. */
    static String text(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            boolean printable = text.chars().allMatch(c -> c >= ' ' || c == '\n' || c == '\t' || c == '\r');
            return printable ? text : "\\x" + HexFormat.of().formatHex(bytes);
        } catch (CharacterCodingException e) {
            return "\\x" + HexFormat.of().formatHex(bytes);
        }
    }

    private static String content(Frame frame) {
        return switch (frame.type()) {
            case 'R' -> Integer.toString(frame.reader().int32());
            case 'S' -> parameter(frame.reader());
            case 'T' -> String.join("|", columns(frame));
            case 'D' -> row(frame);
            case 'C' -> frame.reader().string();
            case 'E', 'N' -> message(frame);
            case 'A' -> notification(frame.reader());
            case 't' -> types(frame.reader());
            case 'G', 'H', 'W' -> copy(frame.reader());
            case 'Z', 'd' -> text(frame.body());
            case 'K' -> "";
            default -> frame.body().length == 0 ? "" : text(frame.body());
        };
    }

    private static String parameter(FrameBody body) {
        return body.string() + "=" + body.string();
    }

    private static String notification(FrameBody body) {
        body.skip(4); // process ID
        return body.string() + "|" + body.string();
    }

    private static String copy(FrameBody body) {
        return body.int8() + "|" + body.int16();
    }

    private static String message(Frame frame) {
        Map<Character, String> fields = fields(frame);
        return fields.get('C') + " " + fields.get('M');
    }

    private static String row(Frame frame) {
        List<String> shown = new ArrayList<>();
        for (String value : values(frame)) {
            shown.add(value == null ? "\\N" : value);
        }
        return String.join("|", shown);
    }

    private static String types(FrameBody body) {
        List<String> shown = new ArrayList<>();
        for (int left = body.int16(); left > 0; left--) {
            shown.add(Integer.toString(body.int32()));
        }
        return String.join("|", shown);
    }
}
