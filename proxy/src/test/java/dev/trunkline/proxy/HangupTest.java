package dev.trunkline.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import sun.misc.Signal;

class HangupTest {

    @Test
    void runsTheActionAtEachSignal() throws InterruptedException {
        CountDownLatch twice = new CountDownLatch(2);
        Hangup.handle(twice::countDown);
        Signal.raise(new Signal("HUP"));
        Signal.raise(new Signal("HUP"));
        assertThat(twice.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
