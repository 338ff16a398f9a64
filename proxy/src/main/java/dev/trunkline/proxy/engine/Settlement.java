package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.TransactionStatus;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.backend.ServerOpening;
import dev.trunkline.proxy.backend.Unattended;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.Wire;
import io.netty.buffer.ByteBuf;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;

/**
 * Finds out when a server process whose connection was lost can no longer commit: it may do so minutes later, when it
 * waits for a lock. Asks the server once a second, as the same user, whether the process is still there, and ends it;
 * a process of the same number that started after the loss is another one.
 */
final class Settlement {

    private static final long PERIOD_MILLIS = 1_000;
    private static final Duration LOGIN_TIMEOUT = Duration.ofSeconds(5);

    private final Loop loop;
    private final Wire wire;
    private final ServerConnection server;
    private final long lostNanos = System.nanoTime();
    private final Promise<Void> settled = Promise.promise();

    private Settlement(Loop loop, Wire wire, ServerConnection server) {
        this.loop = loop;
        this.wire = wire;
        this.server = server;
    }

    /** Completes, on the loop, when the process is known to be gone; never fails, however long the server is away. */
    static Future<Void> of(Loop loop, Wire wire, ServerConnection server) {
        Settlement settlement = new Settlement(loop, wire, server);
        loop.execute(settlement::ask);
        return settlement.settled.future();
    }

    private void ask() {
        var unused = ServerOpening.open(wire, loop, server.address(), LOGIN_TIMEOUT, Unattended.INSTANCE)
                .onComplete(result -> {
                    if (result.succeeded()) {
                        ask(result.result());
                    } else {
                        askLater();
                    }
                });
    }

    private void askLater() {
        loop.later(PERIOD_MILLIS, this::ask);
    }

    private void ask(ServerConnection asking) {
        long secondsSinceLoss = Duration.ofNanos(System.nanoTime() - lostNanos).toSeconds();
        asking.handler(new Answer(asking));
        asking.query(
                "SELECT pg_catalog.pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity WHERE pid = "
                        + server.processId() + " AND backend_start < pg_catalog.clock_timestamp() - interval '"
                        + secondsSinceLoss + " seconds'",
                Reply.of(Reply.Step.QUERY, Reply.Use.HANDLE));
    }

    /** Any row, or any error, means: not yet. */
    private final class Answer extends Unattended {
        private final ServerConnection asking;
        private boolean stillThere;

        Answer(ServerConnection asking) {
            this.asking = asking;
        }

        @Override
        public void frame(ServerConnection from, Reply reply, byte type, ByteBuf buffer, int start, int end) {
            stillThere |= type == 'D' || type == 'E';
        }

        @Override
        public void ready(ServerConnection from, Reply reply, TransactionStatus status) {
            asking.handler(Unattended.INSTANCE);
            asking.close();
            if (stillThere) {
                askLater();
            } else {
                settled.complete();
            }
        }

        @Override
        public void lost(ServerConnection from, @org.jspecify.annotations.Nullable Throwable cause) {
            askLater();
        }
    }
}
