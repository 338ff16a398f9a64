package dev.trunkline.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class FrameWriterTest {

    private final FrameWriter out = new FrameWriter(1);

    @Test
    void fillsInTheLengthOfEachFrame() {
        out.begin((byte) 'X');
        out.int16(-2);
        out.end();
        out.beginStartup();
        out.int32(0x01020304);
        out.cstring("é");
        out.end();
        assertThat(out.toByteArray()).containsExactly('X', 0, 0, 0, 6, -1, -2, 0, 0, 0, 11, 1, 2, 3, 4, 0xc3, 0xa9, 0);
    }

    @Test
    void growsAndKeepsWhatWasWritten() {
        for (int i = 0; i < 10_000; i++) {
            out.int8(i);
        }
        assertThat(out.length()).isEqualTo(10_000);
        assertThat(out.toByteArray()[9_999]).isEqualTo((byte) 9_999);
    }

    @Test
    void isReusableAfterResetAlsoWithinAFrame() {
        out.begin((byte) 'X');
        out.reset();
        out.begin((byte) 'Y');
        out.end();
        assertThat(out.toByteArray()).containsExactly('Y', 0, 0, 0, 4);
    }

    @Test
    void refusesFramesWithinFramesAndEndsWithoutBegin() {
        assertThatIllegalStateException().isThrownBy(out::end);
        out.begin((byte) 'X');
        assertThatIllegalStateException().isThrownBy(() -> out.begin((byte) 'Y'));
        assertThatIllegalStateException().isThrownBy(out::beginStartup);
        assertThatIllegalStateException().isThrownBy(out::toByteArray);
    }

    @Test
    void refusesStringsThatWouldEndEarly() {
        assertThatIllegalArgumentException().isThrownBy(() -> out.cstring("a\0b"));
        assertThatIllegalArgumentException().isThrownBy(() -> out.cstring(ByteSlice.of("a\0b")));
    }
}
