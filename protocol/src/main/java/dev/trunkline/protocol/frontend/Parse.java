package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.FrameWriter;

/**
 * Prepares a statement: {@code 'P' | int32 length | string statement | string sql | int16 count | int32 typeOid*}.
 *
 * @param statement the name, empty for the unnamed statement
 * @param sql the text without its terminator, in the client's encoding; a range of the decoded buffer
 * @param typeOids the parameter types as on the wire, four bytes each, 0 = unspecified; there may be fewer than the
 *     statement has parameters
 */
public record Parse(String statement, ByteSlice sql, ByteSlice typeOids) implements FrontendMessage {

    private static final int OID_BYTES = 4;

    /** The message for the given text, with the given parameter types (OIDs, 0 = unspecified). */
    public static Parse of(String statement, String sql, int... typeOids) {
        return of(statement, ByteSlice.of(sql), typeOids);
    }

    /** The message for the given text, with the given parameter types (OIDs, 0 = unspecified). */
    public static Parse of(String statement, byte[] sql, int... typeOids) {
        return of(statement, ByteSlice.of(sql), typeOids);
    }

    private static Parse of(String statement, ByteSlice sql, int[] typeOids) {
        byte[] oids = new byte[typeOids.length * OID_BYTES];
        for (int i = 0; i < typeOids.length; i++) {
            Frame.putInt32(oids, i * OID_BYTES, typeOids[i]);
        }
        return new Parse(statement, sql, ByteSlice.of(oids));
    }

    /** The message with the given body. */
    public static Parse decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("Parse", buffer, offset, length);
        String statement = body.name();
        ByteSlice sql = body.cstring();
        int count = body.count(OID_BYTES);
        ByteSlice oids = body.slice(count * OID_BYTES);
        body.end();
        return new Parse(statement, sql, oids);
    }

    /** The number of parameter types given. */
    public int typeCount() {
        return typeOids.length() / OID_BYTES;
    }

    /** The OID of the type of parameter {@code index} (from 0); 0 = unspecified. */
    public int typeOid(int index) {
        if (index < 0 || index >= typeCount()) {
            throw new IndexOutOfBoundsException(index);
        }
        return Frame.int32(typeOids.bytes(), typeOids.offset() + index * OID_BYTES);
    }

    /** The same statement under another name. */
    public Parse withStatement(String name) {
        return new Parse(name, sql, typeOids);
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(FrontendType.PARSE);
        out.cstring(statement);
        out.cstring(sql);
        out.int16(typeCount());
        out.bytes(typeOids);
        out.end();
    }
}
