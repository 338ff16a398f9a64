package dev.trunkline.proxy.scenario;

import dev.trunkline.proxy.scenario.CopyStyle.Format;
import dev.trunkline.proxy.scenario.CopyTable.Column;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Writes random rows of a table in a style, each value in one of the ways in which it may be written. */
final class CopyStream {

    /** What is wrong with one row. */
    enum Flaw {
        VALUE,
        KEY,
        NULL_KEY,
        NULL_VALUE,
        TOO_FEW,
        TOO_MANY,
        NOT_UTF8,
        /** Any byte of the stream becomes another. */
        ANY_BYTE
    }

    private static final String SPECIAL = "\\\"',\t\n\r.N|;\u0000";

    private final Random random;
    private final CopyTable table;
    private final CopyStyle style;
    private final int serverVersion;
    private final Charset charset;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private boolean flawed;

    CopyStream(Random random, CopyTable table, CopyStyle style, int serverVersion) {
        this.random = random;
        this.table = table;
        this.style = style;
        this.serverVersion = serverVersion;
        this.charset = style.latin1() ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8;
    }

    /** A stream of some rows, one of them with a flaw if one is given. */
    byte[] bytes(int rows, @Nullable Flaw flaw) {
        int flawedRow = flaw == null || flaw == Flaw.ANY_BYTE ? -1 : random.nextInt(rows);
        begin();
        for (int row = 0; row < rows; row++) {
            row(row == flawedRow ? flaw : null);
            if (style.format() != Format.BINARY && (row < rows - 1 || random.nextInt(4) > 0)) {
                text(style.lineEnd());
            }
        }
        end(rows);
        byte[] bytes = out.toByteArray();
        if (flaw == Flaw.ANY_BYTE && bytes.length > 0) {
            bytes[random.nextInt(bytes.length)] = (byte) SPECIAL.charAt(random.nextInt(SPECIAL.length()));
            flawed = true;
        }
        return bytes;
    }

    /** Whether there is something wrong with the stream. */
    boolean isFlawed() {
        return flawed;
    }

    private void begin() {
        if (style.format() == Format.BINARY) {
            out.writeBytes(new byte[] {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0, 0, 0, 0, 0});
            byte[] extension = new byte[random.nextInt(3) * 4];
            out.writeBytes(ByteBuffer.allocate(4).putInt(extension.length).array());
            out.writeBytes(extension);
        } else if (style.header()) {
            for (int i = 0; i < style.columns().size(); i++) {
                delimiter(i);
                String name = style.columns().get(i).name();
                text(style.format() == Format.CSV ? quoted(name) : escaped(name));
            }
            text(style.lineEnd());
        }
    }

    private void end(int rows) {
        if (style.format() == Format.BINARY) {
            if (random.nextInt(4) > 0) {
                out.writeBytes(new byte[] {-1, -1});
            }
        } else if (style.format() == Format.TEXT && random.nextInt(6) == 0) {
            byte[] bytes = out.toByteArray();
            boolean open = bytes.length > 0 && bytes[bytes.length - 1] != '\n' && bytes[bytes.length - 1] != '\r';
            text((open ? style.lineEnd() : "") + "\\." + style.lineEnd() + "what follows is no row");
        }
    }

    private void delimiter(int field) {
        if (field > 0) {
            text(String.valueOf(style.delimiter()));
        }
    }

    private void text(String text) {
        out.writeBytes(text.getBytes(charset));
    }

    private int flawedField(@Nullable Flaw flaw) {
        if (flaw == null) {
            return -1;
        }
        int from = random.nextInt(style.columns().size());
        for (int i = 0; i < style.columns().size(); i++) {
            int field = (from + i) % style.columns().size();
            Column column = style.columns().get(field);
            boolean fits = switch (flaw) {
                case VALUE -> !column.key() && column.type().wrong() != null;
                case KEY -> column.key() && column.type().wrong() != null;
                case NULL_KEY -> column.key();
                case NULL_VALUE -> !column.key() && column.notNull();
                case NOT_UTF8 -> style.format() != Format.BINARY && !style.latin1();
                case TOO_FEW, TOO_MANY, ANY_BYTE -> false;
            };
            if (fits) {
                flawed = true;
                return field;
            }
        }
        return -1;
    }

    private void row(@Nullable Flaw flaw) {
        int flawedField = flawedField(flaw);
        boolean hasTooFew = flaw == Flaw.TOO_FEW && style.columns().size() > 1;
        int fields = style.columns().size() + (flaw == Flaw.TOO_MANY ? 1 : hasTooFew ? -1 : 0);
        flawed |= fields != style.columns().size();
        if (style.format() == Format.BINARY) {
            out.writeBytes(ByteBuffer.allocate(2).putShort((short) fields).array());
        }
        for (int field = 0; field < fields; field++) {
            Column column = style.columns().get(Math.min(field, style.columns().size() - 1));
            if (style.format() != Format.BINARY) {
                delimiter(field);
            }
            field(column, field == flawedField ? flaw : null);
        }
    }

    private void field(Column column, @Nullable Flaw flaw) {
        boolean isNull = flaw == Flaw.NULL_KEY || flaw == Flaw.NULL_VALUE;
        if (isNull || flaw == null && !column.notNull() && random.nextInt(6) == 0) {
            nothing();
        } else if (flaw == null && column.fallback() != null && style.defaultText() != null && random.nextInt(4) == 0) {
            text(style.defaultText());
        } else {
            value(column, value(column, flaw), flaw);
        }
    }

    private void nothing() {
        if (style.format() == Format.BINARY) {
            out.writeBytes(ByteBuffer.allocate(4).putInt(-1).array());
        } else {
            text(style.nullText());
        }
    }

    private String value(Column column, @Nullable Flaw flaw) {
        String wrong = column.type().wrong();
        if (flaw != null && flaw != Flaw.NOT_UTF8 && wrong != null) {
            return wrong;
        }
        String value = table.value(random, column, style.latin1());
        boolean cannotBeWritten = column.notNull() && value.equals(style.nullText());
        return cannotBeWritten && !(column.key() && !table.keys().isEmpty()) ? "x" : value;
    }

    private void value(Column column, String value, @Nullable Flaw flaw) {
        if (style.format() == Format.BINARY) {
            binary(column, value, flaw);
            return;
        }
        String spelled = flaw == null ? column.type().spelled(random, value, serverVersion) : value;
        if (style.format() == Format.TEXT) {
            text(escaped(spelled));
        } else {
            text(mustBeQuoted(spelled) || random.nextInt(4) == 0 ? quoted(spelled) : spelled);
        }
        if (flaw == Flaw.NOT_UTF8) {
            out.write(0xE9);
        }
    }

    private void binary(Column column, String value, @Nullable Flaw flaw) {
        byte[] bytes = flaw == null ? column.type().binary(value) : new byte[] {1, 2, 3};
        if (bytes == null) {
            nothing();
            return;
        }
        out.writeBytes(ByteBuffer.allocate(4).putInt(bytes.length).array());
        out.writeBytes(bytes);
    }

    // ---- the text format

    private String escaped(String value) {
        StringBuilder text = new StringBuilder();
        boolean mustDiffer = value.equals(style.nullText()) || value.equals(style.defaultText());
        value.codePoints().forEach(letter -> {
            boolean first = text.isEmpty();
            text.append(escaped(letter, mustDiffer && first));
        });
        return text.toString();
    }

    private String escaped(int letter, boolean mustDiffer) {
        if (letter == style.delimiter() && letter != '\t') {
            return "\\" + (char) letter;
        }
        boolean rare = random.nextInt(12) == 0;
        return switch (letter) {
            case '\\' -> "\\\\";
            case '\n' -> rare && style.lineEnd().equals("\n") ? "\\\n" : "\\n";
            case '\r' -> "\\r";
            case '\t' -> style.delimiter() == '\t' ? rare ? "\\\t" : "\\t" : "\t";
            case '\b' -> rare ? "\\b" : "\b";
            case '\f' -> rare ? "\\f" : "\f";
            case 0x0B -> rare ? "\\v" : "\u000b";
            default -> {
                if (mustDiffer || rare) {
                    yield numbers(letter);
                }
                yield Character.toString(letter);
            }
        };
    }

    /** The bytes of a letter by their numbers: they mean those that the server stores. */
    private String numbers(int letter) {
        StringBuilder numbers = new StringBuilder();
        boolean octal = random.nextBoolean();
        for (byte each : Character.toString(letter).getBytes(StandardCharsets.UTF_8)) {
            numbers.append((octal ? "\\%03o" : "\\x%02x").formatted(each & 0xFF));
        }
        return numbers.toString();
    }

    // ---- the CSV format

    private boolean mustBeQuoted(String value) {
        return value.equals(style.nullText())
                || value.equals(style.defaultText())
                || value.startsWith("\\.")
                || value.chars()
                        .anyMatch(letter -> letter == style.delimiter()
                                || letter == style.quote()
                                || letter == '\n'
                                || letter == '\r');
    }

    /** With quotes around it, or around its last part. */
    private String quoted(String value) {
        boolean partly = !mustBeQuoted(value) && value.length() > 2 && random.nextInt(4) == 0;
        int from = partly ? Character.charCount(value.codePointAt(0)) : 0;
        StringBuilder text = new StringBuilder(value.substring(0, from)).append(style.quote());
        for (char letter : value.substring(from).toCharArray()) {
            if (letter == style.quote() || letter == style.escape()) {
                text.append(style.escape());
            }
            text.append(letter);
        }
        return text.append(style.quote()).toString();
    }
}
