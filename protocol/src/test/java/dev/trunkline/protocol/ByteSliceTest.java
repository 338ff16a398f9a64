package dev.trunkline.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class ByteSliceTest {

    private final byte[] bytes = {1, 2, 3, 2, 3};

    @Test
    void isEqualByContent() {
        ByteSlice first = new ByteSlice(bytes, 1, 2);
        ByteSlice second = new ByteSlice(bytes, 3, 2);
        assertThat(first).isEqualTo(second).hasSameHashCodeAs(second).isNotEqualTo(new ByteSlice(bytes, 1, 3));
    }

    @Test
    void keepsTheArrayUnlessCopied() {
        ByteSlice slice = new ByteSlice(bytes, 1, 2);
        ByteSlice copy = slice.copy();
        bytes[1] = 9;
        assertThat(slice.get(0)).isEqualTo((byte) 9);
        assertThat(copy.get(0)).isEqualTo((byte) 2);
    }

    @Test
    void staysWithinItsBounds() {
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> new ByteSlice(bytes, 4, 2));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> new ByteSlice(bytes, 1, 2).get(2));
    }
}
