package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.error.ProtocolErrors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes a portal of a prepared statement and parameter values.
 *
 * <pre>
 * 'B' | int32 length | string portal | string statement
 *     | int16 count | int16 format*                   none: all text; one: for all; else one each
 *     | int16 count | (int32 length | byte*)*          length -1: NULL
 *     | int16 count | int16 resultFormat*              likewise
 * </pre>
 *
 * <p>A decoded message keeps the buffer and one array of positions: no object per parameter. It is valid as long as the
 * buffer is not reused.
 */
public final class Bind implements FrontendMessage {

    private static final int FORMAT_BYTES = 2;
    private static final int LENGTH_BYTES = 4;
    private static final int NULL = -1;

    private final String portal;
    private final String statement;
    private final byte[] bytes;
    private final int tailOffset;
    private final int tailLength;
    private final int formatCount;
    private final int resultFormatsOffset;
    private final int resultFormatCount;
    /** Offset and length of each value in turn. */
    private final int[] values;

    private Bind(byte[] buffer, BodyReader body) {
        bytes = buffer;
        portal = body.name();
        statement = body.name();
        tailOffset = body.position();
        tailLength = body.remaining();
        formatCount = body.count(FORMAT_BYTES);
        body.skip(formatCount * FORMAT_BYTES);
        values = readValues(body);
        resultFormatCount = body.count(FORMAT_BYTES);
        resultFormatsOffset = body.position();
        body.skip(resultFormatCount * FORMAT_BYTES);
        body.end();
        checkFormats();
    }

    /**
     * The message with the given body.
     *
     * @throws dev.trunkline.protocol.error.PgException 08P01 FATAL if it is malformed, 08P01 ERROR if the number of
     *     formats fits neither 0, 1 nor the number of parameters, 22023 ERROR for a format other than 0 and 1
     */
    public static Bind decode(byte[] buffer, int offset, int length) {
        return new Bind(buffer, new BodyReader("Bind", buffer, offset, length));
    }

    /**
     * The message for the given values.
     *
     * @param formats format codes: none, one for all, or one each
     * @param values in their binary or text form; a null element is NULL
     * @param resultFormats format codes: none, one for all, or one each
     */
    public static Bind of(
            String portal,
            String statement,
            List<Integer> formats,
            List<byte @Nullable []> values,
            List<Integer> resultFormats) {
        FrameWriter out = new FrameWriter();
        out.cstring(portal);
        out.cstring(statement);
        writeFormats(out, formats);
        out.int16(values.size());
        for (byte @Nullable [] value : values) {
            writeValue(out, value);
        }
        writeFormats(out, resultFormats);
        byte[] body = out.toByteArray();
        return decode(body, 0, body.length);
    }

    /** The name of the portal, empty for the unnamed one. */
    public String portal() {
        return portal;
    }

    /** The name of the prepared statement, empty for the unnamed one. */
    public String statement() {
        return statement;
    }

    /** The buffer into which offsets point. */
    public byte[] bytes() {
        return bytes;
    }

    /** The number of parameter values. */
    public int parameterCount() {
        return values.length / 2;
    }

    /** The format of the value of parameter {@code index} (from 0): 0 text, 1 binary. */
    public int format(int index) {
        Objects.checkIndex(index, parameterCount());
        return format(tailOffset + FORMAT_BYTES, formatCount, index);
    }

    /** Where the value of parameter {@code index} (from 0) begins in {@link #bytes()}. */
    public int offset(int index) {
        return values[2 * index];
    }

    /** The length of the value of parameter {@code index} (from 0) in bytes; -1 = NULL. */
    public int length(int index) {
        return values[2 * index + 1];
    }

    /** Whether the value of parameter {@code index} (from 0) is NULL. */
    public boolean isNull(int index) {
        return length(index) == NULL;
    }

    /** The number of result format codes given: 0 (all text), 1 (for all columns) or one per column. */
    public int resultFormatCount() {
        return resultFormatCount;
    }

    /** The format asked for column {@code index} (from 0): 0 text, 1 binary. */
    public int resultFormat(int index) {
        return format(resultFormatsOffset, resultFormatCount, index);
    }

    /** Where the part after the two names begins in {@link #bytes()}: formats, values, result formats. */
    public int tailOffset() {
        return tailOffset;
    }

    /** The length of the part after the two names. */
    public int tailLength() {
        return tailLength;
    }

    @Override
    public void encode(FrameWriter out) {
        encode(out, portal, statement);
    }

    /** Appends the whole frame under other names; all that follows them is copied verbatim. */
    public void encode(FrameWriter out, String otherPortal, String otherStatement) {
        out.begin(FrontendType.BIND);
        out.cstring(otherPortal);
        out.cstring(otherStatement);
        out.raw(bytes, tailOffset, tailLength);
        out.end();
    }

    /**
     * The message of the unnamed portal and statement for some of the values, in the same formats.
     *
     * @param parameters which ones, counted from 1, in the order in which they are to be sent
     */
    public Bind some(List<Integer> parameters) {
        List<Integer> formats = new ArrayList<>();
        List<byte @Nullable []> some = new ArrayList<>();
        for (int parameter : parameters) {
            int index = parameter - 1;
            formats.add(format(index));
            some.add(value(index));
        }
        return of("", "", formats, some, resultFormats());
    }

    /**
     * The message with more values, in binary form, behind its own.
     *
     * @param more a null element is NULL
     */
    public Bind with(List<byte @Nullable []> more) {
        List<Integer> formats = new ArrayList<>();
        List<byte @Nullable []> all = new ArrayList<>();
        for (int i = 0; i < parameterCount(); i++) {
            formats.add(format(i));
            all.add(value(i));
        }
        for (byte @Nullable [] value : more) {
            formats.add(1);
            all.add(value);
        }
        return of(portal, statement, formats, all, resultFormats());
    }

    /** The same message, asking for all columns in binary form. */
    public Bind inBinary() {
        List<Integer> formats = new ArrayList<>();
        List<byte @Nullable []> all = new ArrayList<>();
        for (int i = 0; i < parameterCount(); i++) {
            formats.add(format(i));
            all.add(value(i));
        }
        return of(portal, statement, formats, all, List.of(1));
    }

    private byte @Nullable [] value(int index) {
        return isNull(index) ? null : Arrays.copyOfRange(bytes, offset(index), offset(index) + length(index));
    }

    private List<Integer> resultFormats() {
        List<Integer> results = new ArrayList<>();
        for (int i = 0; i < resultFormatCount; i++) {
            results.add(resultFormat(i));
        }
        return results;
    }

    private int format(int formatsOffset, int count, int index) {
        if (count == 0) {
            return 0;
        }
        int position = count == 1 ? 0 : Objects.checkIndex(index, count);
        return Frame.int16(bytes, formatsOffset + position * FORMAT_BYTES);
    }

    private static int[] readValues(BodyReader body) {
        int count = body.count(LENGTH_BYTES);
        int[] values = new int[2 * count];
        for (int i = 0; i < count; i++) {
            int length = body.nullableLength();
            values[2 * i] = body.position();
            values[2 * i + 1] = length;
            body.skip(Math.max(length, 0));
        }
        return values;
    }

    private void checkFormats() {
        if (formatCount > 1 && formatCount != parameterCount()) {
            throw ProtocolErrors.formatCountMismatch(formatCount, parameterCount());
        }
        for (int i = 0; i < formatCount; i++) {
            int code = Frame.int16(bytes, tailOffset + FORMAT_BYTES + i * FORMAT_BYTES);
            if (code != 0 && code != 1) {
                throw ProtocolErrors.unsupportedFormat(code);
            }
        }
    }

    private static void writeFormats(FrameWriter out, List<Integer> formats) {
        out.int16(formats.size());
        for (int format : formats) {
            out.int16(format);
        }
    }

    private static void writeValue(FrameWriter out, byte @Nullable [] value) {
        if (value == null) {
            out.int32(NULL);
        } else {
            out.int32(value.length);
            out.bytes(value);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bind that
                && portal.equals(that.portal)
                && statement.equals(that.statement)
                && tail().equals(that.tail());
    }

    @Override
    public int hashCode() {
        return Objects.hash(portal, statement, tail());
    }

    /** Without the values, which do not belong into a log. */
    @Override
    public String toString() {
        return "Bind[portal=" + portal + ", statement=" + statement + ", parameters=" + parameterCount() + "]";
    }

    private ByteSlice tail() {
        return new ByteSlice(bytes, tailOffset, tailLength);
    }
}
