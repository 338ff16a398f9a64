package dev.trunkline.protocol.backend;

import static dev.trunkline.protocol.MessageCase.assertMalformed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.TransactionStatus;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackendTypeTest {

    @Test
    void knowsTheTypesOfTheManualAndNoOthers() {
        StringBuilder known = new StringBuilder();
        for (int type = Byte.MIN_VALUE; type <= Byte.MAX_VALUE; type++) {
            if (BackendType.isKnown((byte) type)) {
                known.append((char) type);
                assertThat(BackendType.name((byte) type)).isNotEqualTo(BackendType.name((byte) 0));
            }
        }
        assertThat(known).hasToString("123ACDEGHIKNRSTVWZcdnstv");
    }

    @ParameterizedTest
    @CsvSource({
        "1,4", "2,4", "3,4", "A,10", "C,5", "D,6", "E,5", "G,7", "H,7", "I,4", "K,12", "N,5", "R,8", "S,6", "T,6",
        "V,8", "W,7", "Z,5", "c,4", "d,4", "n,4", "s,4", "t,6", "v,12"
    })
    void acceptsTheLeastLengthAndNothingBelow(char type, int least) {
        assertThat(BackendType.bodyBytes((byte) type, least)).isEqualTo(least - 4);
        for (int length : new int[] {least - 1, 3, 0, -1, Integer.MIN_VALUE, Integer.MIN_VALUE + 3}) {
            assertMalformed(() -> BackendType.bodyBytes((byte) type, length));
        }
    }

    @ParameterizedTest
    @CsvSource({"1,4", "2,4", "3,4", "I,4", "K,264", "Z,5", "c,4", "n,4", "s,4"})
    void acceptsTheGreatestLengthAndNothingAbove(char type, int greatest) {
        assertThat(BackendType.bodyBytes((byte) type, greatest)).isEqualTo(greatest - 4);
        assertMalformed(() -> BackendType.bodyBytes((byte) type, greatest + 1));
    }

    @Test
    void refusesTypesThatOnlyClientsSend() {
        assertMalformed(() -> BackendType.bodyBytes((byte) 'Q', 5));
    }

    @Test
    void tellsWhatMayComeUnasked() {
        assertThat("NAS".chars()).allMatch(type -> BackendType.isAsynchronous((byte) (int) type));
        assertThat("ZTDCE".chars()).noneMatch(type -> BackendType.isAsynchronous((byte) (int) type));
    }

    @Test
    void refusesAuthenticationMethodsThatTheProxyDoesNotHave() {
        assertThatThrownBy(() -> Authentication.decode(new byte[] {0, 0, 0, 7}, 0, 4))
                .isInstanceOfSatisfying(
                        PgException.class, e -> assertThat(e.state()).isEqualTo(SqlState.FEATURE_NOT_SUPPORTED));
    }

    @Test
    void refusesSecretKeysOutsideTheBounds() {
        assertMalformed(() -> BackendKeyData.decode(new byte[7], 0, 7));
        assertMalformed(() -> BackendKeyData.decode(new byte[261], 0, 261));
        assertThat(BackendKeyData.decode(new byte[260], 0, 260).secretKey().length())
                .isEqualTo(256);
    }

    @Test
    void refusesUnknownStatesOfATransactionAndFormatsOfCopy() {
        assertMalformed(() -> ReadyForQuery.decode(new byte[] {'X'}, 0, 1));
        assertMalformed(() -> CopyOutResponse.decode(new byte[] {2, 0, 0}, 0, 3));
    }

    @Test
    void keepsFixedFramesReady() {
        assertThat(FixedFrames.PARSE_COMPLETE).containsExactly('1', 0, 0, 0, 4);
        assertThat(FixedFrames.readyForQuery(TransactionStatus.IDLE)).containsExactly('Z', 0, 0, 0, 5, 'I');
        assertThat(FixedFrames.readyForQuery(TransactionStatus.IN_TRANSACTION)).containsExactly('Z', 0, 0, 0, 5, 'T');
        assertThat(FixedFrames.readyForQuery(TransactionStatus.FAILED)).containsExactly('Z', 0, 0, 0, 5, 'E');
    }

    @Test
    void keepsSecretsOutOfLogs() {
        assertThat(new BackendKeyData(7, ByteSlice.of("key!")).toString()).doesNotContain("key!");
    }
}
