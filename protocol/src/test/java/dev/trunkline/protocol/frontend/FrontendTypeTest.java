package dev.trunkline.protocol.frontend;

import static dev.trunkline.protocol.MessageCase.assertMalformed;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrontendTypeTest {

    @Test
    void knowsTheTypesOfTheManualAndNoOthers() {
        StringBuilder known = new StringBuilder();
        for (int type = Byte.MIN_VALUE; type <= Byte.MAX_VALUE; type++) {
            if (FrontendType.isKnown((byte) type)) {
                known.append((char) type);
                assertThat(FrontendType.name((byte) type)).isNotEqualTo(FrontendType.name((byte) 0));
            }
        }
        assertThat(known).hasToString("BCDEFHPQSXcdfp");
    }

    @ParameterizedTest
    @CsvSource({"Q,5", "P,8", "B,12", "E,9", "D,6", "C,6", "H,4", "S,4", "F,14", "d,4", "c,4", "f,5", "p,4", "X,4"})
    void acceptsTheLeastLengthAndNothingBelow(char type, int least) {
        assertThat(FrontendType.bodyBytes((byte) type, least)).isEqualTo(least - 4);
        for (int length : new int[] {least - 1, 3, 0, -1, Integer.MIN_VALUE, Integer.MIN_VALUE + 3}) {
            assertMalformed(() -> FrontendType.bodyBytes((byte) type, length));
        }
    }

    @ParameterizedTest
    @CsvSource({"H,4", "S,4", "c,4", "X,4", "D,10004", "C,10004", "E,10004", "f,10004", "p,65539"})
    void acceptsTheGreatestLengthAndNothingAbove(char type, int greatest) {
        assertThat(FrontendType.bodyBytes((byte) type, greatest)).isEqualTo(greatest - 4);
        assertMalformed(() -> FrontendType.bodyBytes((byte) type, greatest + 1));
        assertMalformed(() -> FrontendType.bodyBytes((byte) type, Integer.MAX_VALUE));
    }

    @ParameterizedTest
    @CsvSource({"Q", "P", "B", "F", "d"})
    void leavesTheLengthOfStatementsAndDataToTheConfiguration(char type) {
        assertThat(FrontendType.bodyBytes((byte) type, Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE - 4);
    }

    @Test
    void refusesTypesThatOnlyServersSend() {
        assertMalformed(() -> FrontendType.bodyBytes((byte) 'Z', 5));
        assertMalformed(() -> FrontendType.bodyBytes((byte) 0, 4));
    }

    @Test
    void letsCopyDataPassInParts() {
        assertThat(FrontendType.isCollected(FrontendType.COPY_DATA)).isFalse();
        assertThat(FrontendType.isCollected(FrontendType.BIND)).isTrue();
    }
}
