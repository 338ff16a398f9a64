package dev.trunkline.proxy.oracle;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A value of a statement: a constant or a parameter.
 *
 * @param type its own type, which may be another one than that of the column it meets
 * @param value null for NULL
 * @param inferred the server infers just this type where the value stands: its OID may be left out
 */
record Value(Type type, @Nullable Object value, boolean inferred) {

    enum Type {
        INT2(21, "int2"),
        INT4(23, "int4"),
        INT8(20, "bigint"),
        TEXT(25, "text"),
        VARCHAR(1043, "varchar"),
        UUID(2950, "uuid"),
        NUMERIC(1700, "numeric"),
        BOOL(16, "bool"),
        TEXT_ARRAY(1009, "text[]");

        final int oid;
        final String sqlName;

        Type(int oid, String sqlName) {
            this.oid = oid;
            this.sqlName = sqlName;
        }
    }

    static Value int2(int value) {
        return new Value(Type.INT2, (long) value, true);
    }

    static Value int4(long value) {
        return new Value(Type.INT4, value, true);
    }

    static Value int8(long value) {
        return new Value(Type.INT8, value, true);
    }

    static Value text(@Nullable String value) {
        return new Value(Type.TEXT, value, true);
    }

    static Value uuid(UUID value) {
        return new Value(Type.UUID, value, true);
    }

    static Value numeric(String value) {
        return new Value(Type.NUMERIC, new BigDecimal(value), true);
    }

    static Value bool(boolean value) {
        return new Value(Type.BOOL, value, true);
    }

    static Value nothing(Type type) {
        return new Value(type, null, true);
    }

    /** The same value under another type. */
    Value as(Type other) {
        return new Value(other, value, false);
    }

    // ---- as a constant

    /** One of the ways to write it in SQL. */
    String literal(Dice dice) {
        if (value == null) {
            return "NULL";
        }
        return switch (type) {
            case INT2, INT4, INT8 -> integer(value.toString(), dice);
            case TEXT, VARCHAR -> string(value.toString(), dice);
            case UUID -> uuidLiteral(dice);
            case NUMERIC -> dice.of(value.toString(), "'" + value + "'");
            case BOOL -> dice.of(value.toString(), "'" + value.toString().charAt(0) + "'::bool");
            case TEXT_ARRAY -> quoted(value.toString());
        };
    }

    private String integer(String digits, Dice dice) {
        boolean negative = digits.startsWith("-");
        String plain = negative ? "(" + digits + ")" : digits;
        return switch (dice.below(8)) {
            case 0 -> "'" + digits + "'";
            case 1 -> plain + "::" + type.sqlName;
            case 2 -> "CAST('" + digits + "' AS " + type.sqlName + ")";
            case 3 -> "(" + digits + ")";
            case 4 -> negative ? plain : "'  +0" + digits + " '";
            default -> plain;
        };
    }

    private String string(String text, Dice dice) {
        return switch (dice.below(10)) {
            case 0 -> "E'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
            case 1 -> quoted(text) + "::text";
            case 2 -> "CAST(" + quoted(text) + " AS varchar)";
            case 3 -> text.contains("$") ? quoted(text) : "$$" + text + "$$";
            case 4 -> text.contains("$") ? quoted(text) : "$q$" + text + "$q$::varchar";
            case 5 -> unicodeEscaped(text);
            default -> quoted(text);
        };
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private static String unicodeEscaped(String text) {
        StringBuilder sql = new StringBuilder("U&'");
        text.codePoints().forEach(point -> {
            if (point == '\\') {
                sql.append("\\\\");
            } else if (point == '\'') {
                sql.append("''");
            } else if (point < 128) {
                sql.append((char) point);
            } else {
                sql.append(String.format(Locale.ROOT, "\\+%06x", point));
            }
        });
        return sql.append('\'').toString();
    }

    private String uuidLiteral(Dice dice) {
        String spelled = spelledUuid(dice);
        return dice.of("'" + spelled + "'", "'" + spelled + "'::uuid", "uuid '" + spelled + "'");
    }

    private String spelledUuid(Dice dice) {
        String plain = String.valueOf(value);
        return dice.of(plain, plain, plain.toUpperCase(Locale.ROOT), "{" + plain + "}", plain.replace("-", ""));
    }

    // ---- as a parameter

    /** What Bind carries: a String for the text format, a byte[] for the binary one. */
    @Nullable
    Object bound(boolean binary, Dice dice) {
        if (value == null) {
            return null;
        }
        if (!binary || type == Type.NUMERIC || type == Type.TEXT_ARRAY) {
            return text(dice);
        }
        return switch (type) {
            case INT2 -> ByteBuffer.allocate(2).putShort((short) number()).array();
            case INT4 -> ByteBuffer.allocate(4).putInt((int) number()).array();
            case INT8 -> ByteBuffer.allocate(8).putLong(number()).array();
            case TEXT, VARCHAR -> value.toString().getBytes(StandardCharsets.UTF_8);
            case BOOL -> new byte[] {(byte) (Boolean.TRUE.equals(value) ? 1 : 0)};
            case UUID -> binaryUuid((UUID) value);
            case NUMERIC, TEXT_ARRAY -> throw new IllegalStateException();
        };
    }

    private Object text(Dice dice) {
        return switch (type) {
            case INT2, INT4, INT8 ->
                number() < 0
                        ? value.toString()
                        : dice.of(value.toString(), value.toString(), "+" + value, "00" + value, " " + value + " ");
            case UUID -> spelledUuid(dice);
            default -> String.valueOf(value);
        };
    }

    private long number() {
        return value instanceof Long number ? number : 0;
    }

    private static byte[] binaryUuid(UUID uuid) {
        return ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }

    /** Hands it to a JDBC driver in the way an application would. */
    void set(PreparedStatement statement, int index) throws SQLException {
        if (value == null) {
            statement.setNull(index, jdbcType());
            return;
        }
        switch (type) {
            case INT2 -> statement.setShort(index, (short) number());
            case INT4 -> statement.setInt(index, (int) number());
            case INT8 -> statement.setLong(index, number());
            case NUMERIC -> statement.setBigDecimal(index, (BigDecimal) value);
            case BOOL -> statement.setBoolean(index, Boolean.TRUE.equals(value));
            case UUID -> statement.setObject(index, value);
            case TEXT, VARCHAR -> statement.setString(index, value.toString());
            case TEXT_ARRAY -> statement.setObject(index, value, Types.OTHER);
        }
    }

    private int jdbcType() {
        return switch (type) {
            case INT2 -> Types.SMALLINT;
            case INT4 -> Types.INTEGER;
            case INT8 -> Types.BIGINT;
            case NUMERIC -> Types.NUMERIC;
            case BOOL -> Types.BOOLEAN;
            case UUID, TEXT_ARRAY -> Types.OTHER;
            case TEXT, VARCHAR -> Types.VARCHAR;
        };
    }
}
