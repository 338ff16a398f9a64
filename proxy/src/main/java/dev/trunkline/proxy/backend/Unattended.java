package dev.trunkline.proxy.backend;

import dev.trunkline.protocol.TransactionStatus;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Hears a connection that no session uses, and does nothing. Subclasses override what they care for. */
public class Unattended implements ReplyHandler {

    /** For connections whose fate nobody cares about any more. */
    public static final Unattended INSTANCE = new Unattended();

    @Override
    public void forward(ServerConnection server, ByteBuf buffer, int start, int end) {}

    @Override
    public void forward(ServerConnection server, byte[] frames) {}

    @Override
    public void frame(ServerConnection server, Reply reply, byte type, ByteBuf buffer, int start, int end) {}

    @Override
    public void part(ServerConnection server, Reply reply, ByteBuf buffer, int start, int end, boolean last) {}

    @Override
    public void error(ServerConnection server, Reply reply, ByteBuf buffer, int start, int end, boolean fatal) {}

    @Override
    public void copyIn(ServerConnection server, Reply reply) {}

    @Override
    public void ready(ServerConnection server, Reply reply, TransactionStatus status) {}

    @Override
    public void parameterStatus(ServerConnection server, String name, String value) {}

    @Override
    public void asynchronous(ServerConnection server, byte type, ByteBuf buffer, int start, int end) {}

    @Override
    public void writabilityChanged(ServerConnection server, boolean writable) {}

    @Override
    public void lost(ServerConnection server, @Nullable Throwable cause) {}
}
