package dev.trunkline.proxy.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FramingTest {

    /** What a server takes at most: the greatest block of memory that it allocates, less the length field. */
    private static final int LONGEST_OF_A_SERVER = 0x3fff_ffff - 4;

    /** The greatest that the configuration allows. */
    private static final int GREATEST_MAX_MESSAGE_SIZE = 1_073_741_823;

    @Test
    @DisplayName("hi-outgoing-length-overflow: room for a longer name")
    void theLongestMessageLeavesRoomForTheServersNameOfAStatement() {
        Framing framing = Framing.client(GREATEST_MAX_MESSAGE_SIZE);
        assertThat(framing.heldBodyBytes() + 1_000).isLessThan(LONGEST_OF_A_SERVER);
        assertThat(Framing.client(100_000).heldBodyBytes()).isEqualTo(100_000);
    }
}
