package dev.trunkline.conf.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.KeyDataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyValuesTest {

    @ParameterizedTest
    @CsvSource({
        "BIGINT, 7, 7",
        "BIGINT, 007, 7",
        "BIGINT, +42, 42",
        "BIGINT, -0, 0",
        "BIGINT, -9223372036854775808, -9223372036854775808",
        "BIGINT, 9223372036854775808,",
        "BIGINT, 1.0,",
        "BIGINT, '',",
        "BIGINT, 1_000,",
        "VARCHAR, 007, 007",
        "UUID, A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11, a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "UUID, {a0eebc999c0b4ef8bb6d6bb9bd380a11}, a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "UUID, a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11, a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "UUID, a0e-ebc99-9c0b-4ef8-bb6d-6bb9bd380a11,",
        "UUID, {a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11,",
        "UUID, a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11-,",
        "UUID, a0eebc99,",
    })
    void readsValuesAsPostgresDoes(KeyDataType type, String text, String canonical) {
        assertThat(KeyValues.canonical(type, text)).isEqualTo(canonical);
    }

    @Test
    void ordersTextsByTheirBytes() {
        assertThat(KeyValues.order(KeyDataType.VARCHAR).compare("Z", "a")).isNegative();
        // U+FFFF sorts before U+10000 in UTF-8, after it in UTF-16
        assertThat(KeyValues.order(KeyDataType.VARCHAR).compare("\uFFFF", "\uD800\uDC00"))
                .isNegative();
    }

    @Test
    void ordersIntegersBySignAndSize() {
        assertThat(KeyValues.order(KeyDataType.BIGINT).compare("-10", "9")).isNegative();
        assertThat(KeyValues.order(KeyDataType.BIGINT).compare("10", "9")).isPositive();
    }
}
