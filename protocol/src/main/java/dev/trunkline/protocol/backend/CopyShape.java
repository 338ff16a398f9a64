package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a COPY stream consists of.
 *
 * @param isBinary the format of the whole: binary, or lines of text or CSV
 * @param columnFormats one per column: 0 text, 1 binary
 */
public record CopyShape(boolean isBinary, List<Integer> columnFormats) {

    /** Keeps a copy of the list. */
    public CopyShape {
        columnFormats = List.copyOf(columnFormats);
    }

    /** The shape with the format of the whole for each of the columns, as PostgreSQL sends it. */
    public static CopyShape of(boolean isBinary, int columns) {
        return new CopyShape(isBinary, Collections.nCopies(columns, isBinary ? 1 : 0));
    }

    static CopyShape decode(String message, byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader(message, buffer, offset, length);
        byte format = body.int8();
        if (format != 0 && format != 1) {
            throw body.malformed("there is no COPY format " + format);
        }
        int count = body.count(Short.BYTES);
        List<Integer> formats = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            formats.add(body.int16());
        }
        body.end();
        return new CopyShape(format == 1, formats);
    }

    void encode(FrameWriter out, byte type) {
        out.begin(type);
        out.int8(isBinary ? 1 : 0);
        out.int16(columnFormats.size());
        columnFormats.forEach(out::int16);
        out.end();
    }
}
