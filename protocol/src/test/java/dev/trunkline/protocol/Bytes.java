package dev.trunkline.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Literal bytes, readable: numbers are single bytes, strings their UTF-8. */
public final class Bytes {

    private Bytes() {}

    /** The concatenation of the parts. */
    public static byte[] bytes(Object... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Object part : parts) {
            if (part instanceof Integer number) {
                out.write(number);
            } else if (part instanceof Character letter) {
                out.write(letter);
            } else if (part instanceof String text) {
                out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
            } else {
                throw new IllegalArgumentException(String.valueOf(part));
            }
        }
        return out.toByteArray();
    }
}
