package dev.trunkline.proxy.scenario;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The types of columns that random streams are made for. A value is its text. */
enum CopyType {
    VARCHAR("varchar"),
    TEXT("text"),
    /** Takes ten characters. */
    SHORT_TEXT("varchar(10)"),
    BIGINT("bigint"),
    INTEGER("integer"),
    SMALLINT("smallint"),
    UUID("uuid"),
    BOOLEAN("boolean"),
    DATE("date"),
    BYTEA("bytea"),
    NUMBERS("integer[]"),
    DECIMAL("numeric(20, 3)");

    private static final String[] LETTERS = {
        "a",
        "b",
        "Z",
        "n",
        "t",
        "x",
        "N",
        "0",
        "7",
        " ",
        ",",
        "\t",
        "\n",
        "\r",
        "\\",
        "\"",
        "'",
        "|",
        ";",
        ".",
        "-",
        "~",
        "\u0001",
        "\b",
        "\f",
        "\u000b",
        "{",
        "(",
        "\u00e9",
        "\u00fc",
        "\u00a0",
        "\u6f22",
        "\ud83d\ude00"
    };
    private static final int NOT_IN_LATIN1 = 2;
    private static final String SPELLED_NULL = "NULL";

    private final String sql;

    CopyType(String sql) {
        this.sql = sql;
    }

    String sql() {
        return sql;
    }

    /** True when every spelling of NULL is a value, too. */
    boolean isText() {
        return this == VARCHAR || this == TEXT || this == SHORT_TEXT;
    }

    /** Any value of the type. */
    String value(Random random, boolean latin1) {
        return switch (this) {
            case VARCHAR, TEXT -> text(random, random.nextInt(40) == 0 ? 400 : 12, latin1);
            case SHORT_TEXT -> text(random, 10, latin1);
            case BIGINT -> String.valueOf(random.nextBoolean() ? random.nextInt(50) - 25 : random.nextLong());
            case INTEGER -> String.valueOf(random.nextInt());
            case SMALLINT -> String.valueOf((short) random.nextInt());
            case UUID -> new UUID(random.nextLong(), random.nextLong()).toString();
            case BOOLEAN -> random.nextBoolean() ? "t" : "f";
            case DATE ->
                LocalDate.of(2000, 1, 1).plusDays(random.nextInt(20_000)).toString();
            case BYTEA -> bytea(random);
            case NUMBERS -> "{" + random.nextInt(9) + ",NULL," + random.nextInt(9) + "}";
            case DECIMAL -> random.nextInt(100_000) + "." + random.nextInt(10);
        };
    }

    /** Text that holds much of what means something to the formats. */
    static String text(Random random, int mostLetters, boolean latin1) {
        if (random.nextInt(12) == 0) {
            String[] special = {SPELLED_NULL, "\\N", "\\D", "\\.", "", "n/a", "DEFAULT"};
            return special[random.nextInt(special.length)];
        }
        StringBuilder text = new StringBuilder();
        for (int letters = random.nextInt(mostLetters + 1); letters > 0; letters--) {
            text.append(LETTERS[random.nextInt(LETTERS.length - (latin1 ? NOT_IN_LATIN1 : 0))]);
        }
        return text.toString();
    }

    private static String bytea(Random random) {
        byte[] bytes = new byte[random.nextInt(6)];
        random.nextBytes(bytes);
        return "\\x" + java.util.HexFormat.of().formatHex(bytes);
    }

    /** One of the ways to write a value. */
    String spelled(Random random, String value, int serverVersion) {
        if (random.nextInt(8) > 0) {
            return value;
        }
        return switch (this) {
            case BIGINT, INTEGER, SMALLINT -> number(random, value, serverVersion);
            case UUID ->
                switch (random.nextInt(4)) {
                    case 0 -> value.toUpperCase(Locale.ROOT);
                    case 1 -> "{" + value + "}";
                    case 2 -> value.replace("-", "");
                    default -> value.replace("-", "").replaceAll("(....)(?=.)", "$1-");
                };
            case BOOLEAN -> value.equals("t") ? "yes" : "0";
            default -> value;
        };
    }

    private static String number(Random random, String value, int serverVersion) {
        boolean negative = value.startsWith("-");
        String digits = negative ? value.substring(1) : value;
        String sign = negative ? "-" : "";
        return switch (random.nextInt(5)) {
            case 0 -> "  " + value + " ";
            case 1 -> sign + "00" + digits;
            case 2 -> negative ? value : "+" + value;
            case 3 ->
                serverVersion < 160_000 || negative
                        ? value
                        : "0x" + Long.toHexString(Long.parseLong(value)).toUpperCase(Locale.ROOT);
            default ->
                serverVersion < 160_000 || digits.length() < 3
                        ? value
                        : sign + digits.charAt(0) + "_" + digits.substring(1);
        };
    }

    /** Text that is no value of the type; null where any text is. */
    @Nullable
    String wrong() {
        return switch (this) {
            case VARCHAR, TEXT -> null;
            case SHORT_TEXT -> "longer than it may be";
            case BIGINT -> "9223372036854775808";
            case INTEGER, DECIMAL -> "12x";
            case SMALLINT -> "40000";
            case UUID -> "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1";
            case BOOLEAN -> "perhaps";
            case DATE -> "2001-02-30";
            case BYTEA -> "\\xabc";
            case NUMBERS -> "{1,2";
        };
    }

    /** The value in the binary format; null where it is not known here. */
    byte @Nullable [] binary(String value) {
        return switch (this) {
            case VARCHAR, TEXT, SHORT_TEXT -> value.getBytes(StandardCharsets.UTF_8);
            case BIGINT -> ByteBuffer.allocate(8).putLong(Long.parseLong(value)).array();
            case INTEGER ->
                ByteBuffer.allocate(4).putInt(Integer.parseInt(value)).array();
            case SMALLINT ->
                ByteBuffer.allocate(2).putShort(Short.parseShort(value)).array();
            case UUID -> uuid(java.util.UUID.fromString(value));
            case BOOLEAN -> new byte[] {(byte) (value.equals("t") ? 1 : 0)};
            case DATE -> {
                long days = ChronoUnit.DAYS.between(LocalDate.of(2000, 1, 1), LocalDate.parse(value));
                yield ByteBuffer.allocate(4).putInt((int) days).array();
            }
            case BYTEA -> java.util.HexFormat.of().parseHex(value.substring(2));
            case NUMBERS, DECIMAL -> null;
        };
    }

    private static byte[] uuid(java.util.UUID uuid) {
        return ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }
}
