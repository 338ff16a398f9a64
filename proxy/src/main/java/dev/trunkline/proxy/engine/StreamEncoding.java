package dev.trunkline.proxy.engine;

import dev.trunkline.copy.format.KeyEncoding;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the bytes of a client's stream become the UTF-8 that servers store. Beside UTF-8 only encodings of one byte per
 * character are known: their tables are the same everywhere, which cannot be said of others.
 */
final class StreamEncoding implements KeyEncoding {

    private static final Map<String, String> CHARSETS = Map.ofEntries(
            Map.entry("latin1", "ISO-8859-1"),
            Map.entry("iso88591", "ISO-8859-1"),
            Map.entry("latin2", "ISO-8859-2"),
            Map.entry("latin3", "ISO-8859-3"),
            Map.entry("latin4", "ISO-8859-4"),
            Map.entry("latin5", "ISO-8859-9"),
            Map.entry("latin7", "ISO-8859-13"),
            Map.entry("latin9", "ISO-8859-15"),
            Map.entry("iso88595", "ISO-8859-5"),
            Map.entry("iso88596", "ISO-8859-6"),
            Map.entry("iso88597", "ISO-8859-7"),
            Map.entry("iso88598", "ISO-8859-8"),
            Map.entry("win1250", "windows-1250"),
            Map.entry("win1251", "windows-1251"),
            Map.entry("win1252", "windows-1252"),
            Map.entry("win1253", "windows-1253"),
            Map.entry("win1254", "windows-1254"),
            Map.entry("win1257", "windows-1257"),
            Map.entry("koi8r", "KOI8-R"),
            Map.entry("koi8", "KOI8-R"),
            Map.entry("koi8u", "KOI8-U"));

    private final @Nullable Charset charset;

    private StreamEncoding(@Nullable Charset charset) {
        this.charset = charset;
    }

    /**
     * The encoding that PostgreSQL knows by a name.
     *
     * @throws dev.trunkline.protocol.error.PgException 0A000 if it is none of those
     */
    static StreamEncoding of(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        if (plain.equals("utf8") || plain.equals("unicode") || plain.equals("sqlascii")) {
            return new StreamEncoding(null);
        }
        String charset = CHARSETS.get(plain);
        if (charset == null || !Charset.isSupported(charset)) {
            throw CopyErrors.encoding(name);
        }
        return new StreamEncoding(Charset.forName(charset));
    }

    boolean isUtf8() {
        return charset == null;
    }

    @Override
    public byte @Nullable [] converted(byte[] bytes, int offset, int length) {
        if (charset == null || isAscii(bytes, offset, length)) {
            return null;
        }
        return new String(bytes, offset, length, charset).getBytes(StandardCharsets.UTF_8);
    }

    private static boolean isAscii(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] < 0) {
                return false;
            }
        }
        return true;
    }
}
