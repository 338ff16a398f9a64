package dev.trunkline.harness.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Writes the few forms of DER that a certificate is made of. */
final class Der {

    static final byte[] NOTHING = {};

    private static final DateTimeFormatter UTC_TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private Der() {}

    static byte[] element(int tag, byte[]... parts) {
        byte[] content = join(parts);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else if (content.length < 0x100) {
            out.write(0x81);
            out.write(content.length);
        } else {
            out.write(0x82);
            out.write(content.length >> 8);
            out.write(content.length);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    static byte[] sequence(byte[]... parts) {
        return element(0x30, parts);
    }

    static byte[] integer(BigInteger value) {
        return element(0x02, value.toByteArray());
    }

    static byte[] bool(boolean value) {
        return element(0x01, new byte[] {(byte) (value ? 0xff : 0)});
    }

    static byte[] octets(byte[] content) {
        return element(0x04, content);
    }

    static byte[] bits(byte[] content) {
        return element(0x03, new byte[] {0}, content);
    }

    static byte[] time(Instant time) {
        return element(0x17, UTC_TIME.format(time).getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
