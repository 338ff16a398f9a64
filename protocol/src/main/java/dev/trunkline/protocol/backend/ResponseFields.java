package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.Severity;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of ErrorResponse and NoticeResponse: {@code (byte letter | string value)* | byte 0}; immutable.
 *
 * <p>Values stay the bytes that were sent, in whatever encoding, and fields that the manual does not list are kept, so
 * that a decoded response is written back as it came.
 *
 * @param fields in the order in which they were sent
 * @see <a href="https://www.postgresql.org/docs/18/protocol-error-fields.html">Error and Notice Message Fields</a>
 */
public record ResponseFields(List<Field> fields) {

    /** Severity in the server's language. */
    public static final byte LOCALIZED_SEVERITY = 'S';

    /** Severity, never translated. */
    public static final byte SEVERITY = 'V';

    public static final byte SQL_STATE = 'C';
    public static final byte MESSAGE = 'M';
    public static final byte DETAIL = 'D';
    public static final byte HINT = 'H';
    public static final byte POSITION = 'P';

    /** The server's function that raised it. */
    public static final byte ROUTINE = 'R';

    public static final byte SCHEMA = 's';
    public static final byte TABLE = 't';
    public static final byte COLUMN = 'c';

    /**
     * One field.
     *
     * @param letter what it is
     * @param value without the terminator
     */
    public record Field(byte letter, ByteSlice value) {}

    /** Keeps a copy of the list. */
    public ResponseFields {
        fields = List.copyOf(fields);
    }

    /** The fields that tell of the exception; its cause is not among them. */
    public static ResponseFields of(PgException e) {
        List<Field> fields = new ArrayList<>();
        add(fields, LOCALIZED_SEVERITY, e.severity().name());
        add(fields, SEVERITY, e.severity().name());
        add(fields, SQL_STATE, e.state().code());
        add(fields, MESSAGE, e.text());
        add(fields, DETAIL, e.detail());
        add(fields, HINT, e.hint());
        add(fields, POSITION, e.position() > 0 ? Integer.toString(e.position()) : null);
        add(fields, SCHEMA, e.schemaName());
        add(fields, TABLE, e.tableName());
        add(fields, COLUMN, e.columnName());
        return new ResponseFields(fields);
    }

    static ResponseFields decode(String message, byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader(message, buffer, offset, length);
        List<Field> fields = new ArrayList<>();
        for (byte letter = body.int8(); letter != 0; letter = body.int8()) {
            fields.add(new Field(letter, body.cstring()));
        }
        body.end();
        return new ResponseFields(fields);
    }

    /** The value of the field as UTF-8; null if it is missing. */
    public @Nullable String text(byte letter) {
        for (Field field : fields) {
            if (field.letter == letter) {
                return field.value.toString();
            }
        }
        return null;
    }

    /** The SQLSTATE; empty if the server sent none. */
    public String sqlState() {
        return orEmpty(text(SQL_STATE));
    }

    /** The primary message; empty if the server sent none. */
    public String message() {
        return orEmpty(text(MESSAGE));
    }

    /** Whether the sender closes the connection behind the message: FATAL or PANIC. */
    public boolean endsSession() {
        String severity = text(SEVERITY);
        return Severity.FATAL.name().equals(severity) || Severity.PANIC.name().equals(severity);
    }

    /** The same with another severity, in both fields of it. */
    public ResponseFields withSeverity(Severity severity) {
        return with(LOCALIZED_SEVERITY, severity.name()).with(SEVERITY, severity.name());
    }

    /** The same with another value of the field, which is appended if it is missing. */
    public ResponseFields with(byte letter, String value) {
        Field replacement = new Field(letter, ByteSlice.of(value));
        List<Field> changed = new ArrayList<>(fields);
        changed.replaceAll(field -> field.letter == letter ? replacement : field);
        if (!changed.contains(replacement)) {
            changed.add(replacement);
        }
        return new ResponseFields(changed);
    }

    /** The same without the field. */
    public ResponseFields without(byte letter) {
        return new ResponseFields(
                fields.stream().filter(field -> field.letter != letter).toList());
    }

    void encode(FrameWriter out, byte type) {
        out.begin(type);
        for (Field field : fields) {
            out.int8(field.letter);
            out.cstring(field.value);
        }
        out.int8(0);
        out.end();
    }

    private static void add(List<Field> fields, byte letter, @Nullable String value) {
        if (value != null) {
            // A name or value quoted in a message may hold U+0000, which would end the field early.
            fields.add(new Field(letter, ByteSlice.of(value.replace('\0', '?'))));
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
