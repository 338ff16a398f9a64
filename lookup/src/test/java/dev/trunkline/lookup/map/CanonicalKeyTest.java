package dev.trunkline.lookup.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalKeyTest {

    @ParameterizedTest
    @CsvSource({
        "7,7",
        "007,7",
        "+7,7",
        "-0,0",
        "'  42\t',42",
        "9223372036854775807,9223372036854775807",
        "-9223372036854775808,-9223372036854775808",
        "-00000000000000000000000000000000001,-1"
    })
    void readsIntegersAsTheServerDoes(String text, long value) {
        assertThat(new CanonicalKey(KeyType.BIGINT).parse(text)).isEqualTo(ShardingKey.ofLong(value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "+",
                "-",
                "7x",
                "7.0",
                "1e3",
                "--7",
                "- 7",
                "9223372036854775808",
                "-9223372036854775809",
                "99999999999999999999",
                "٧"
            })
    void refusesWhatIsNoInteger(String text) {
        assertThat(new CanonicalKey(KeyType.BIGINT).parse(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
                "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11",
                "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}",
                "a0eebc999c0b4ef8bb6d6bb9bd380a11",
                "a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11",
                "{a0eebc99-9c0b4ef8-bb6d6bb9-bd380a11}"
            })
    void everySpellingOfAUuidIsOneKey(String text) {
        assertThat(new CanonicalKey(KeyType.UUID).parse(text))
                .isEqualTo(ShardingKey.ofUuid(0xa0eebc999c0b4ef8L, 0xbb6d6bb9bd380a11L));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}",
                "a0eebc99",
                "a0eebc999c0b4ef8bb6d6bb9bd380a1",
                "a0eebc999c0b4ef8bb6d6bb9bd380a111",
                "-a0eebc999c0b4ef8bb6d6bb9bd380a11",
                "a0eebc999c0b4ef8bb6d6bb9bd380a11-",
                "a0e-ebc999c0b4ef8bb6d6bb9bd380a11",
                "a0ee--bc999c0b4ef8bb6d6bb9bd380a11",
                "{a0eebc999c0b4ef8bb6d6bb9bd380a11",
                "g0eebc999c0b4ef8bb6d6bb9bd380a11",
                " a0eebc999c0b4ef8bb6d6bb9bd380a11"
            })
    void refusesWhatIsNoUuid(String text) {
        assertThat(new CanonicalKey(KeyType.UUID).parse(text)).isNull();
    }

    @Test
    void textStaysAsItIs() {
        assertThat(new CanonicalKey(KeyType.VARCHAR).parse("007 ")).isEqualTo(ShardingKey.ofText("007 "));
    }
}
