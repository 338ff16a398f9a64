package dev.trunkline.lookup;

import io.vertx.core.Vertx;

/** The clock of the machine and Vert.x's timers. */
final class VertxTimers implements Timers {

    private final Vertx vertx;

    VertxTimers(Vertx vertx) {
        this.vertx = vertx;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Timer schedule(long delayMillis, Runnable task) {
        // Vert.x knows no delay of zero.
        long id = vertx.setTimer(Math.max(1, delayMillis), fired -> task.run());
        return () -> {
            boolean ignoredBecauseItMayHaveRun = vertx.cancelTimer(id);
        };
    }
}
