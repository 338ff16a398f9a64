package dev.trunkline.harness.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.Test;

class LeakWatchTest {

    @Test
    void namesALostBufferOnceAndKeepsQuietAboutReleasedOnes() {
        ByteBufAllocator.DEFAULT.buffer(64).release();
        assertThat(NettyLeaks.drain()).isEmpty();

        ByteBufAllocator.DEFAULT.buffer(64).writeInt(1);
        assertThat(NettyLeaks.drain()).singleElement().asString().contains("was not released", "LeakWatchTest");
        assertThat(NettyLeaks.drain()).isEmpty();
    }
}
