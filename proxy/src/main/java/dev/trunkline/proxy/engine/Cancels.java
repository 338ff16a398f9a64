package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.frontend.CancelRequest;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.net.FrameSink;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.Wire;
import dev.trunkline.proxy.net.WireChannel;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Sends CancelRequests to servers. Until the server has taken one (it closes the connection then) its process is marked,
 * so that the pool does not give it to another session whose statement the cancel would hit.
 */
public final class Cancels {

    /** A server that has not taken a cancel in this time may do so at any: its process serves no other session. */
    private static final long GIVE_UP_MILLIS = 5_000;

    private final Wire wire;
    private final Loop loop;

    /** The cancels of one loop. */
    public Cancels(Wire wire, Loop loop) {
        this.wire = wire;
        this.loop = loop;
    }

    /** Asks the server of a connection to cancel what runs on it. */
    void send(ServerConnection server) {
        send(server, () -> {});
    }

    /** The same; {@code taken} is called on the loop when the server has taken it, or will not. */
    void send(ServerConnection server, Runnable taken) {
        if (server.secretKey().length < CancelRequest.MIN_KEY_BYTES) {
            taken.run();
            return;
        }
        server.cancelStarted();
        Delivery delivery = new Delivery(server, taken);
        var unused = wire.connect(server.address().host(), server.address().port(), delivery)
                .onComplete(result -> {
                    if (result.succeeded()) {
                        FrameWriter out = new FrameWriter();
                        new CancelRequest(server.processId(), ByteSlice.of(server.secretKey())).encode(out);
                        result.result().write(out.toByteArray());
                        delivery.giveUp = loop.schedule(GIVE_UP_MILLIS, () -> delivery.giveUp(result.result()));
                    } else {
                        delivery.closed(result.cause());
                    }
                });
    }

    /** The connection of one cancel: the server answers nothing and closes it. */
    private static final class Delivery implements FrameSink {
        private final ServerConnection server;
        private Loop.@Nullable Timer giveUp;
        private boolean ended;

        private final Runnable taken;

        Delivery(ServerConnection server, Runnable taken) {
            this.server = server;
            this.taken = taken;
        }

        void giveUp(WireChannel channel) {
            if (!ended) {
                server.wire().home().run(server::retire);
                channel.abort();
            }
        }

        @Override
        public void closed(@Nullable Throwable cause) {
            if (giveUp != null) {
                giveUp.cancel();
            }
            if (!ended) {
                ended = true;
                server.wire().home().run(server::cancelEnded);
                taken.run();
            }
        }

        @Override
        public void frame(byte type, ByteBuf buffer, int start, int end) {}

        @Override
        public void part(byte type, ByteBuf buffer, int start, int end, boolean first, boolean last) {}

        @Override
        public void bufferEnd(ByteBuf buffer) {}

        @Override
        public void writabilityChanged(boolean writable) {}

        @Override
        public void violation(PgException fault) {}
    }
}
