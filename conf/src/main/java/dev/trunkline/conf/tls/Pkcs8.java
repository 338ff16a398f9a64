package dev.trunkline.conf.tls;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Puts keys of the older forms into PKCS #8, the only one that the Java platform reads:
 *
 * <pre>
 * SEQUENCE { INTEGER 0, SEQUENCE { algorithm, parameters }, OCTET STRING { the older form } }
 * </pre>
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5915">RFC 5915</a> for EC keys
 */
final class Pkcs8 {

    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;
    /** Tag [0], constructed: where an EC key names its curve. */
    private static final int PARAMETERS = 0xa0;

    private static final byte[] VERSION = {2, 1, 0};
    /** rsaEncryption (1.2.840.113549.1.1.1) with its parameters, NULL. */
    private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
    /** id-ecPublicKey (1.2.840.10045.2.1). */
    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

    private Pkcs8() {}

    static byte[] ofRsa(byte[] key) {
        return wrap(RSA, key);
    }

    static byte[] ofEc(Path file, byte[] key) throws PemException {
        return wrap(element(SEQUENCE, join(EC, curve(file, key))), key);
    }

    private static byte[] wrap(byte[] algorithm, byte[] key) {
        return element(SEQUENCE, join(VERSION, algorithm, element(OCTET_STRING, key)));
    }

    /** The curve as the key names it: the elements after version and secret are optional, and this is the first. */
    private static byte[] curve(Path file, byte[] key) throws PemException {
        try {
            int position = contentStart(key, 0);
            while (position < key.length) {
                int start = contentStart(key, position);
                int end = start + length(key, position);
                if ((key[position] & 0xff) == PARAMETERS) {
                    return Arrays.copyOfRange(key, start, end);
                }
                position = end;
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            throw new PemException("\"" + file + "\" holds a private key that is malformed", e);
        }
        throw new PemException("\"" + file + "\" holds an EC key that does not name its curve");
    }

    private static int contentStart(byte[] der, int position) {
        int first = der[position + 1] & 0xff;
        return position + 2 + (first < 0x80 ? 0 : first & 0x7f);
    }

    private static int length(byte[] der, int position) {
        int first = der[position + 1] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7f); i++) {
            length = length << 8 | der[position + 2 + i] & 0xff;
        }
        return length;
    }

    private static byte[] element(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else if (content.length < 0x100) {
            out.write(0x81);
            out.write(content.length);
        } else {
            // Two bytes of length are enough for any key.
            out.write(0x82);
            out.write(content.length >> 8);
            out.write(content.length);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
