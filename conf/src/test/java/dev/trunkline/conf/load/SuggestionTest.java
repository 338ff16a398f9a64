package dev.trunkline.conf.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {

    @ParameterizedTest
    @CsvSource({
        "port, port, 0",
        "prot, port, 1",
        "por, port, 1",
        "ports, port, 1",
        "part, port, 1",
        "'', port, 4",
        "abc, xyz, 3"
    })
    void countsSlips(String left, String right, int slips) {
        assertThat(Suggestion.distance(left, right)).isEqualTo(slips);
        assertThat(Suggestion.distance(right, left)).isEqualTo(slips);
    }

    @Test
    void takesTheClosestName() {
        assertThat(Suggestion.clause("datbase_name", List.of("database", "database_name", "name")))
                .isEqualTo(", did you mean \"database_name\"?");
    }

    @Test
    void staysSilentWhenNothingIsClose() {
        assertThat(Suggestion.clause("zzz", List.of("port", "host"))).isEmpty();
    }
}
