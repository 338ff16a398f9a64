package dev.trunkline.copy.format;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** What PostgreSQL takes for text in UTF-8. */
public final class Utf8 {

    private Utf8() {}

    /** False if a server refuses the bytes with 22021. */
    public static boolean isText(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] == 0) {
                return false;
            }
        }
        try {
            var unused = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, offset, length));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
