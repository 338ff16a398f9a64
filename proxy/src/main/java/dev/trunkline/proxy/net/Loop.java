package dev.trunkline.proxy.net;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Context;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One event loop: runs tasks and timers, and flushes each channel that was written to once per turn.
 *
 * <p>{@link #execute} may be called from any thread, everything else only on the loop.
 */
public final class Loop {

    /** A running timer. */
    public static final class Timer {
        private final ScheduledFuture<?> scheduled;

        private Timer(ScheduledFuture<?> scheduled) {
            this.scheduled = scheduled;
        }

        /** Stops the timer; harmless when it has fired. */
        public void cancel() {
            boolean unused = scheduled.cancel(false);
        }
    }

    private final ContextInternal context;
    private final EventLoop eventLoop;
    private final List<WireChannel> dirty = new ArrayList<>();
    private boolean reading;
    private boolean flushScheduled;

    private Loop(ContextInternal context) {
        this.context = context;
        this.eventLoop = context.nettyEventLoop();
    }

    /** The loop of an event-loop context (a verticle's). One Loop per verticle instance. */
    public static Loop of(Context context) {
        return new Loop((ContextInternal) context);
    }

    /** The Vert.x context of this loop, for operations that return a Future. */
    public Context context() {
        return context;
    }

    /**
     * Calls a Vert.x operation in the loop's context, so that what it opens belongs to this loop: our own tasks run on
     * the loop's thread without a current context, and Vert.x would choose a loop by turns.
     */
    <T> T inContext(Supplier<T> operation) {
        ContextInternal previous = context.beginDispatch();
        try {
            return operation.get();
        } finally {
            context.endDispatch(previous);
        }
    }

    /** True when a socket is registered with this loop. */
    boolean owns(Channel channel) {
        return channel.eventLoop() == eventLoop;
    }

    /** True when the caller runs on this loop. */
    public boolean isCurrent() {
        return eventLoop.inEventLoop();
    }

    /** Runs a task on the loop, later. */
    public void execute(Runnable task) {
        eventLoop.execute(task);
    }

    /** Runs a task on this loop at once when the caller is on it, else later. */
    public void run(Runnable task) {
        if (eventLoop.inEventLoop()) {
            task.run();
        } else {
            eventLoop.execute(task);
        }
    }

    /** Runs a task once after a delay. */
    public Timer schedule(long delayMillis, Runnable task) {
        return new Timer(eventLoop.schedule(task, delayMillis, TimeUnit.MILLISECONDS));
    }

    /** Runs a task once after a delay, for good: nobody will want to stop it. */
    public void later(long delayMillis, Runnable task) {
        ScheduledFuture<?> unused = eventLoop.schedule(task, delayMillis, TimeUnit.MILLISECONDS);
    }

    /** Runs a task again and again for as long as the loop lives. */
    public void every(long periodMillis, Runnable task) {
        ScheduledFuture<?> unused =
                eventLoop.scheduleWithFixedDelay(task, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
    }

    void beginRead() {
        reading = true;
    }

    void endRead() {
        reading = false;
        flush();
    }

    /** Notes a channel with unflushed bytes: flushed when the running read ends, else in a task of its own. */
    void written(WireChannel channel) {
        dirty.add(channel);
        if (!reading && !flushScheduled) {
            flushScheduled = true;
            eventLoop.execute(this::flushFromTask);
        }
    }

    private void flushFromTask() {
        flushScheduled = false;
        flush();
    }

    private void flush() {
        for (int i = 0; i < dirty.size(); i++) {
            dirty.get(i).flushNow();
        }
        dirty.clear();
    }
}
