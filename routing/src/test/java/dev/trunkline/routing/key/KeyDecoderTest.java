package dev.trunkline.routing.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.frontend.Bind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyDecoderTest {

    private static final KeyColumn BIGINT = new KeyColumn(KeyType.BIGINT, PgType.INT8, -1, true);
    private static final KeyColumn OLD_BIGINT = new KeyColumn(KeyType.BIGINT, PgType.INT8, -1, false);
    private static final KeyColumn VARCHAR = new KeyColumn(KeyType.VARCHAR, PgType.VARCHAR, 3 + 4, false);
    private static final KeyColumn TEXT = new KeyColumn(KeyType.VARCHAR, PgType.TEXT, -1, false);
    private static final KeyColumn BPCHAR = new KeyColumn(KeyType.VARCHAR, PgType.BPCHAR, 10 + 4, false);
    private static final KeyColumn UUID = new KeyColumn(KeyType.UUID, PgType.UUID, -1, false);

    private static String compared(KeyColumn column, int oid, String value) {
        return decode(KeyDecoder.compared(column), oid, false, value.getBytes(StandardCharsets.UTF_8));
    }

    private static String stored(KeyColumn column, int oid, String value) {
        return decode(KeyDecoder.stored(column), oid, false, value.getBytes(StandardCharsets.UTF_8));
    }

    private static String binary(KeyColumn column, int oid, byte[] value) {
        return decode(KeyDecoder.compared(column), oid, true, value);
    }

    private static String decode(KeyDecoder decoder, int oid, boolean binary, byte[] value) {
        Bind bind = Bind.of("", "", List.of(binary ? 1 : 0), List.of(value), List.of());
        DecodedKey key = new DecodedKey();
        Decoding decoding = decoder.parameter(Parameters.of(bind, new int[] {oid}), 1, key);
        return decoding == Decoding.KEY ? key.toKey().toString() : decoding.name();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "5|5",
                "  +42 |42",
                "007|7",
                "-0|0",
                "\t-9223372036854775808\f|-9223372036854775808",
                "9223372036854775807|9223372036854775807",
                "0x2A|42",
                "-0X2a|-42",
                "0o52|42",
                "0b101010|42",
                "0x_2A|42",
                "1_000|1000"
            })
    void readsIntegersAsInt8inDoes(String text, long value) {
        assertThat(compared(BIGINT, 0, text)).isEqualTo(Long.toString(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "-", "+ 5", "5 5", "5.0", "abc", "_1", "1_", "1__0", "0x", "0x_", "٣", "5é"})
    void refusesWhatInt8inRefuses(String text) {
        assertThatThrownBy(() -> compared(BIGINT, 0, text))
                .isInstanceOf(PgException.class)
                .hasMessage("invalid input syntax for type bigint: \"" + text + "\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"9223372036854775808", "-9223372036854775809", "99999999999999999999", "0x8000000000000000"})
    void refusesIntegersBeyondInt8(String text) {
        assertThatThrownBy(() -> compared(BIGINT, 0, text))
                .isInstanceOfSatisfying(
                        PgException.class, e -> assertThat(e.state().code()).isEqualTo("22003"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x2A", "1_000", "0b1"})
    void oldServersKnowDecimalDigitsOnly(String text) {
        assertThatThrownBy(() -> compared(OLD_BIGINT, 0, text)).isInstanceOf(PgException.class);
    }

    @Test
    void integersOfAnyWidthAreOneKey() {
        assertThat(binary(BIGINT, PgType.INT2, new byte[] {(byte) 0xFF, (byte) 0xFE}))
                .isEqualTo("-2");
        assertThat(binary(BIGINT, PgType.INT4, bytes(4, -2))).isEqualTo("-2");
        assertThat(binary(BIGINT, PgType.INT8, bytes(8, -2))).isEqualTo("-2");
        assertThat(binary(BIGINT, PgType.OID, bytes(4, -2))).isEqualTo("4294967294");
        assertThat(binary(BIGINT, 0, bytes(8, 7))).isEqualTo("7");
        assertThat(compared(BIGINT, PgType.INT2, "5")).isEqualTo("5");
    }

    @Test
    void aLengthThatIsNotTheTypesIsNotGuessed() {
        for (byte[] value : List.of(new byte[0], new byte[3], new byte[8])) {
            assertThatThrownBy(() -> binary(BIGINT, PgType.INT4, value))
                    .isInstanceOfSatisfying(
                            PgException.class, e -> assertThat(e.state().code()).isEqualTo("22P03"));
        }
        assertThatThrownBy(() -> binary(BIGINT, 0, new byte[5])).isInstanceOf(PgException.class);
        assertThatThrownBy(() -> binary(UUID, PgType.UUID, new byte[15])).isInstanceOf(PgException.class);
    }

    @ParameterizedTest
    @CsvSource({"4.0,4", "4,4", "4e2,400", "-4.00,-4", "4.5,NO_ROW", "1e30,NO_ROW", "NaN,UNKNOWN", "Infinity,UNKNOWN"})
    void numericsEqualIntegersWhereTheyAreWhole(String text, String decoded) {
        assertThat(compared(BIGINT, PgType.NUMERIC, text)).isEqualTo(decoded);
    }

    @Test
    void readsBinaryNumerics() {
        assertThat(binary(BIGINT, PgType.NUMERIC, numeric(1, 0, 0, 2, 5))).isEqualTo("5");
        assertThat(binary(BIGINT, PgType.NUMERIC, numeric(2, 1, 0x4000, 0, 12, 3456)))
                .isEqualTo("-123456");
        assertThat(binary(BIGINT, PgType.NUMERIC, numeric(1, 1, 0, 0, 3))).isEqualTo("30000");
        assertThat(binary(BIGINT, PgType.NUMERIC, numeric(0, 0, 0, 0))).isEqualTo("0");
        assertThat(binary(BIGINT, PgType.NUMERIC, numeric(2, 0, 0, 1, 4, 5000))).isEqualTo("NO_ROW");
        assertThat(binary(BIGINT, PgType.NUMERIC, numeric(1, 5, 0, 0, 1))).isEqualTo("NO_ROW");
        assertThat(binary(BIGINT, PgType.NUMERIC, numeric(5, 4, 0, 0, 922, 3372, 368, 5477, 5807)))
                .isEqualTo("9223372036854775807");
        assertThat(binary(BIGINT, PgType.NUMERIC, numeric(5, 4, 0x4000, 0, 922, 3372, 368, 5477, 5808)))
                .isEqualTo("-9223372036854775808");
        assertThat(binary(BIGINT, PgType.NUMERIC, numeric(5, 4, 0, 0, 922, 3372, 368, 5477, 5808)))
                .isEqualTo("NO_ROW");
        assertThat(binary(BIGINT, PgType.NUMERIC, numeric(0, 0, 0xC000, 0))).isEqualTo("UNKNOWN");
        assertThat(binary(BIGINT, PgType.NUMERIC, new byte[3])).isEqualTo("UNKNOWN");
    }

    @Test
    void typesWhoseComparisonIsNotOneOfKeysAreUnknown() {
        int float8 = 701;
        assertThat(compared(BIGINT, float8, "5")).isEqualTo("UNKNOWN");
        assertThat(binary(BIGINT, float8, new byte[8])).isEqualTo("UNKNOWN");
        assertThat(compared(UUID, PgType.INT4, "5")).isEqualTo("UNKNOWN");
        assertThat(compared(TEXT, PgType.UUID, "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"))
                .isEqualTo("UNKNOWN");
    }

    @Test
    void textIsItsBytes() {
        assertThat(compared(TEXT, 0, " Ä ")).isEqualTo(" Ä ");
        assertThat(compared(VARCHAR, PgType.VARCHAR, "abcdef")).isEqualTo("abcdef");
        assertThat(binary(VARCHAR, PgType.TEXT, new byte[] {'a', ' '})).isEqualTo("a ");
        assertThat(compared(TEXT, PgType.NAME, "a".repeat(63))).hasSize(63);
        assertThat(compared(TEXT, PgType.NAME, "a".repeat(64))).isEqualTo("UNKNOWN");
        assertThat(stored(TEXT, PgType.INT4, "007")).isEqualTo("7");
        assertThat(binary(TEXT, PgType.INT8, bytes(8, -3))).isEqualTo("-3");
    }

    @Test
    void blanksBeyondTheLengthAreCutWhenStored() {
        assertThat(stored(VARCHAR, 0, "abc   ")).isEqualTo("abc");
        assertThat(stored(VARCHAR, 0, "ab ")).isEqualTo("ab ");
        assertThat(stored(VARCHAR, 0, "ab  ")).isEqualTo("ab ");
        assertThat(stored(VARCHAR, 0, "äöü  ")).isEqualTo("äöü");
        assertThat(stored(VARCHAR, 0, "abcdef")).isEqualTo("abcdef");
        assertThat(compared(VARCHAR, 0, "abc   ")).isEqualTo("abc   ");
    }

    @Test
    void blanksOfCharDoNotCount() {
        assertThat(compared(BPCHAR, 0, "a  ")).isEqualTo("a");
        assertThat(stored(BPCHAR, 0, "a  ")).isEqualTo("a");
        assertThat(compared(TEXT, PgType.BPCHAR, "a  ")).isEqualTo("a");
        // Compared with char(n), a varchar loses its own trailing blanks, too: several keys match.
        assertThat(compared(VARCHAR, PgType.BPCHAR, "a  ")).isEqualTo("UNKNOWN");
        assertThat(stored(VARCHAR, PgType.BPCHAR, "a  ")).isEqualTo("a");
    }

    @Test
    void uuidsAreTheirBytes() {
        String uuid = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";
        byte[] bytes = ByteBuffer.allocate(16)
                .putLong(java.util.UUID.fromString(uuid).getMostSignificantBits())
                .putLong(java.util.UUID.fromString(uuid).getLeastSignificantBits())
                .array();
        assertThat(binary(UUID, PgType.UUID, bytes)).isEqualTo(uuid);
        assertThat(binary(UUID, 0, bytes)).isEqualTo(uuid);
        assertThat(compared(UUID, PgType.VARCHAR, uuid.toUpperCase(java.util.Locale.ROOT)))
                .isEqualTo(uuid);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a0eebc99",
                "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
                "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}",
                "a0eebc99--9c0b-4ef8-bb6d-6bb9bd380a11",
                "a0e-ebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
                " a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
                "g0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"
            })
    void refusesWhatUuidInRefuses(String text) {
        assertThatThrownBy(() -> compared(UUID, 0, text)).hasMessageContaining("invalid input syntax for type uuid");
    }

    private static byte[] bytes(int length, long value) {
        byte[] all = ByteBuffer.allocate(8).putLong(value).array();
        return java.util.Arrays.copyOfRange(all, 8 - length, 8);
    }

    private static byte[] numeric(int count, int weight, int sign, int scale, int... digits) {
        ByteBuffer buffer = ByteBuffer.allocate(8 + 2 * digits.length);
        buffer.putShort((short) count)
                .putShort((short) weight)
                .putShort((short) sign)
                .putShort((short) scale);
        for (int digit : digits) {
            buffer.putShort((short) digit);
        }
        return buffer.array();
    }
}
