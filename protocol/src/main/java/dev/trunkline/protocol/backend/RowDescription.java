package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * The shape of the rows that follow.
 *
 * <pre>
 * 'T' | int32 length | int16 count
 *     | (string name | int32 tableOid | int16 column | int32 typeOid | int16 size | int32 modifier | int16 format)*
 * </pre>
 *
 * @param fields in the order of the columns; may be empty
 */
public record RowDescription(List<Field> fields) implements BackendMessage {

    private static final int MIN_FIELD_BYTES = 19;

    /**
     * A column.
     *
     * @param name in the client's encoding
     * @param tableOid the table it comes from, 0 = none
     * @param columnNumber its attribute number in that table, 0 = none
     * @param typeOid its data type
     * @param typeSize in bytes, negative = variable
     * @param typeModifier such as the length of a varchar plus 4, -1 = none
     * @param format 0 text, 1 binary; 0 where the format is not known yet
     */
    public record Field(
            ByteSlice name, int tableOid, int columnNumber, int typeOid, int typeSize, int typeModifier, int format) {

        private static final int NONE = -1;
        private static final int TEXT_OID = 25;

        /** A column of text that comes from no table. */
        public static Field text(String name) {
            return of(name, TEXT_OID, NONE);
        }

        /** A column in text format that comes from no table; a size of -1 = variable. */
        public static Field of(String name, int typeOid, int typeSize) {
            return new Field(ByteSlice.of(name), 0, 0, typeOid, typeSize, NONE, 0);
        }

        /** Whether values of both can stand in one result: all but the origin, which differs from shard to shard. */
        public boolean hasShapeOf(Field other) {
            return isColumnOf(other) && format == other.format;
        }

        /** The same in whatever format. */
        boolean isColumnOf(Field other) {
            return name.equals(other.name)
                    && typeOid == other.typeOid
                    && typeSize == other.typeSize
                    && typeModifier == other.typeModifier;
        }

        static Field read(BodyReader body) {
            return new Field(
                    body.cstring(), body.int32(), body.int16(), body.int32(), body.int16(), body.int32(), body.int16());
        }

        void write(FrameWriter out) {
            out.cstring(name);
            out.int32(tableOid);
            out.int16(columnNumber);
            out.int32(typeOid);
            out.int16(typeSize);
            out.int32(typeModifier);
            out.int16(format);
        }
    }

    /** Keeps a copy of the list. */
    public RowDescription {
        fields = List.copyOf(fields);
    }

    /** The message with the given body. */
    public static RowDescription decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("RowDescription", buffer, offset, length);
        int count = body.count(MIN_FIELD_BYTES);
        List<Field> fields = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            fields.add(Field.read(body));
        }
        body.end();
        return new RowDescription(fields);
    }

    /**
     * Whether rows of both can be merged: number of columns, names, types, sizes, modifiers and formats are equal. OIDs
     * of tables differ from shard to shard and do not count.
     */
    public boolean hasShapeOf(RowDescription other) {
        return matches(other, Field::hasShapeOf);
    }

    /** The same in whatever formats: whether rows of both have equal columns. */
    public boolean hasColumnsOf(RowDescription other) {
        return matches(other, Field::isColumnOf);
    }

    private boolean matches(RowDescription other, BiPredicate<Field, Field> equal) {
        if (fields.size() != other.fields.size()) {
            return false;
        }
        for (int i = 0; i < fields.size(); i++) {
            if (!equal.test(fields.get(i), other.fields.get(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(BackendType.ROW_DESCRIPTION);
        out.int16(fields.size());
        fields.forEach(field -> field.write(out));
        out.end();
    }
}
