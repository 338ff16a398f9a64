package dev.trunkline.protocol.frontend;

import static dev.trunkline.protocol.Bytes.bytes;
import static dev.trunkline.protocol.MessageCase.assertMalformed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.Severity;
import dev.trunkline.protocol.error.SqlState;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class BindTest {

    private static final List<byte[]> TWO_VALUES = Arrays.asList(bytes("12"), null);

    @Test
    void pointsAtValuesWithoutCopyingThem() {
        byte[] body = bytes("p\0s\0", 0, 0, 0, 3, 0, 0, 0, 2, "12", 255, 255, 255, 255, 0, 0, 0, 0, 0, 0);
        Bind bind = Bind.decode(body, 0, body.length);
        assertThat(bind.bytes()).isSameAs(body);
        assertThat(bind.parameterCount()).isEqualTo(3);
        assertThat(bind.offset(0)).isEqualTo(12);
        assertThat(bind.length(0)).isEqualTo(2);
        assertThat(bind.isNull(0)).isFalse();
        assertThat(bind.length(1)).isEqualTo(-1);
        assertThat(bind.isNull(1)).isTrue();
        assertThat(bind.length(2)).isZero();
        assertThat(bind.isNull(2)).isFalse();
    }

    @Test
    void takesNoFormatForText() {
        Bind bind = Bind.of("", "", List.of(), TWO_VALUES, List.of());
        assertThat(List.of(bind.format(0), bind.format(1), bind.resultFormat(5)))
                .containsOnly(0);
    }

    @Test
    void takesOneFormatForAll() {
        Bind bind = Bind.of("", "", List.of(1), TWO_VALUES, List.of(1));
        assertThat(List.of(bind.format(0), bind.format(1), bind.resultFormat(5)))
                .containsOnly(1);
        assertThat(bind.resultFormatCount()).isEqualTo(1);
    }

    @Test
    void leavesValuesOut() {
        Bind all = Bind.of("p", "s", List.of(1, 0, 1), Arrays.asList(bytes("1"), null, bytes("33")), List.of(1));
        assertThat(all.some(List.of(3, 2)))
                .isEqualTo(Bind.of("", "", List.of(1, 0), Arrays.asList(bytes("33"), null), List.of(1)));
        assertThat(all.some(List.of())).isEqualTo(Bind.of("", "", List.of(), List.of(), List.of(1)));
    }

    @Test
    void takesMoreValuesInBinaryForm() {
        Bind bind = Bind.of("p", "s", List.of(), Arrays.asList(bytes("a"), null), List.of(0));
        assertThat(bind.with(Arrays.asList(bytes("b"), null)))
                .isEqualTo(Bind.of(
                        "p", "s", List.of(0, 0, 1, 1), Arrays.asList(bytes("a"), null, bytes("b"), null), List.of(0)));
        assertThat(bind.inBinary())
                .isEqualTo(Bind.of("p", "s", List.of(0, 0), Arrays.asList(bytes("a"), null), List.of(1)));
    }

    @Test
    void takesOneFormatEach() {
        Bind bind = Bind.of("", "", List.of(1, 0), TWO_VALUES, List.of(0, 1, 0));
        assertThat(List.of(bind.format(0), bind.format(1))).containsExactly(1, 0);
        assertThat(List.of(bind.resultFormat(0), bind.resultFormat(1), bind.resultFormat(2)))
                .containsExactly(0, 1, 0);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> bind.format(2));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> bind.resultFormat(3));
    }

    @Test
    void acceptsOneFormatWithoutParameters() {
        assertThat(Bind.of("", "", List.of(1), List.of(), List.of()).parameterCount())
                .isZero();
    }

    @Test
    void refusesANumberOfFormatsThatFitsNotAsAnErrorThatTheSessionSurvives() {
        assertThatThrownBy(() -> Bind.of("", "", List.of(0, 1, 0), TWO_VALUES, List.of()))
                .isInstanceOfSatisfying(PgException.class, e -> {
                    assertThat(e.state()).isEqualTo(SqlState.PROTOCOL_VIOLATION);
                    assertThat(e.severity()).isEqualTo(Severity.ERROR);
                });
    }

    @Test
    void refusesUnknownFormats() {
        for (int format : new int[] {2, -1, Short.MAX_VALUE}) {
            assertThatThrownBy(() -> Bind.of("", "", List.of(format), TWO_VALUES, List.of()))
                    .isInstanceOfSatisfying(PgException.class, e -> {
                        assertThat(e.state()).isEqualTo(SqlState.INVALID_PARAMETER_VALUE);
                        assertThat(e.severity()).isEqualTo(Severity.ERROR);
                    });
        }
    }

    @Test
    void takesUpTo65535Parameters() {
        List<byte[]> values = Collections.nCopies(65_535, bytes("x"));
        Bind bind = Bind.of("", "", List.of(), values, List.of());
        assertThat(bind.parameterCount()).isEqualTo(65_535);
        assertThat(bind.length(65_534)).isEqualTo(1);
    }

    @Test
    void refusesNegativeAndOversizeLengthsOfValues() {
        for (byte[] length : new byte[][] {
            bytes(255, 255, 255, 254), bytes(128, 0, 0, 0), bytes(0, 0, 0, 3), bytes(127, 255, 255, 255)
        }) {
            byte[] body = bytes(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0);
            System.arraycopy(length, 0, body, 6, 4);
            assertMalformed(() -> Bind.decode(body, 0, body.length));
        }
    }

    @Test
    void refusesCountsBeyondTheBodyBeforeAnythingIsAllotted() {
        assertMalformed(() -> Bind.decode(bytes(0, 0, 255, 255, 0, 0), 0, 6));
        assertMalformed(() -> Bind.decode(bytes(0, 0, 0, 0, 255, 255, 0, 0), 0, 8));
        assertMalformed(() -> Bind.decode(bytes(0, 0, 0, 0, 0, 0, 255, 255), 0, 8));
    }

    @Test
    void appearsUnderOtherNamesWithTheRestVerbatim() {
        Bind bind = Bind.of("p", "client name", List.of(1), TWO_VALUES, List.of(0));
        FrameWriter out = new FrameWriter();
        bind.encode(out, "p", "s_17");
        FrameWriter expected = new FrameWriter();
        Bind.of("p", "s_17", List.of(1), TWO_VALUES, List.of(0)).encode(expected);
        assertThat(out.toByteArray()).containsExactly(expected.toByteArray());
        assertThat(Arrays.copyOfRange(bind.bytes(), bind.tailOffset(), bind.tailOffset() + bind.tailLength()))
                .startsWith(0, 1, 0, 1, 0, 2);
    }

    @Test
    void refusesNamesThatAreNotUtf8() {
        byte[] body = bytes("p\0", 0xe9, 0, 0, 0, 0, 0, 0, 0);
        assertThatThrownBy(() -> Bind.decode(body, 0, body.length))
                .isInstanceOfSatisfying(
                        PgException.class, e -> assertThat(e.state()).isEqualTo(SqlState.CHARACTER_NOT_IN_REPERTOIRE));
    }

    @Test
    void acceptsTheReplacementCharacterAsAName() {
        byte[] body = bytes("p\0\uFFFD\0", 0, 0, 0, 0, 0, 0);
        assertThat(Bind.decode(body, 0, body.length).statement()).isEqualTo("\uFFFD");
    }

    @Test
    void keepsValuesOutOfLogs() {
        assertThat(Bind.of("", "", List.of(), List.of(bytes("secret")), List.of()))
                .asString()
                .doesNotContain("secret");
    }
}
