package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row: {@code 'D' | int32 length | int16 count | (int32 length | byte*)*}, length -1 for NULL.
 *
 * <p>For rows that the proxy makes or has to look into; those it passes on are never decoded.
 *
 * @param values in the order of the columns, in the format of RowDescription; a null element is NULL
 */
public record DataRow(List<@Nullable ByteSlice> values) implements BackendMessage {

    private static final int NULL = -1;

    /** Keeps a copy of the list. */
    public DataRow {
        values = Collections.unmodifiableList(new ArrayList<>(values));
    }

    /** A row of texts; a null element is NULL. */
    public static DataRow of(@Nullable String... texts) {
        List<@Nullable ByteSlice> values = new ArrayList<>(texts.length);
        for (String text : texts) {
            values.add(text == null ? null : ByteSlice.of(text));
        }
        return new DataRow(values);
    }

    /** The message with the given body. */
    public static DataRow decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("DataRow", buffer, offset, length);
        int count = body.count(Integer.BYTES);
        List<@Nullable ByteSlice> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int valueLength = body.nullableLength();
            values.add(valueLength == NULL ? null : body.slice(valueLength));
        }
        body.end();
        return new DataRow(values);
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(BackendType.DATA_ROW);
        out.int16(values.size());
        for (ByteSlice value : values) {
            if (value == null) {
                out.int32(NULL);
            } else {
                out.int32(value.length());
                out.bytes(value);
            }
        }
        out.end();
    }
}
