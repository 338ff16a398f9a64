package dev.trunkline.proxy.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.Promise;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One TCP connection that carries PostgreSQL frames; slices in and out, nothing copied that is relayed.
 *
 * <p>A channel is <em>owned</em> by the event loop that its socket is registered with, for ever. It is <em>at home</em>
 * on the loop that uses it: its owner, or another that borrowed it ({@link #lendTo}, {@link #giveBack}). Every method
 * is called on the home loop, and the sink is called there. States:
 *
 * <ul>
 *   <li>OWNED: received bytes are framed on the owner.
 *   <li>LENT: the owner posts received buffers to the borrower, in order.
 *   <li>RETURNING: the owner keeps received buffers until the borrower has worked off those posted before; without
 *       this step the two loops could frame two halves of one message in the wrong order.
 * </ul>
 */
public final class WireChannel {

    private static final Logger LOG = LoggerFactory.getLogger(WireChannel.class);

    private enum Residence {
        OWNED,
        LENT,
        RETURNING
    }

    /** Bytes may stay unsent this long after {@link #close()} before the socket is torn down. */
    private static final long CLOSE_GRACE_MILLIS = 5_000;

    private final Channel channel;
    private final Loop owner;
    private final FrameReader reader;
    private final @Nullable SocketAddress remoteAddress;
    private @Nullable ChannelHandlerContext handlerContext;

    // Written and read on the owner only.
    private Residence residence = Residence.OWNED;
    private Loop postTo;
    private final ArrayDeque<Runnable> kept = new ArrayDeque<>(0);
    private @Nullable Encryption encryption;
    private boolean handshaking;

    // Passed on with the home.
    private Loop home;
    private boolean dirty;
    private boolean closing;
    private boolean closed;
    // The run of relayed bytes that is not queued yet.
    private @Nullable ByteBuf runBuffer;
    private int runStart;
    private int runEnd;
    private long sentBytes;

    private WireChannel(Loop owner, NetSocketInternal socket, Framing framing, FrameSink sink) {
        this.owner = owner;
        this.home = owner;
        this.postTo = owner;
        this.remoteAddress = socket.remoteAddress();
        this.channel = socket.channelHandlerContext().channel();
        if (!owner.owns(channel)) {
            throw new IllegalStateException("a socket of another event loop");
        }
        this.reader = new FrameReader(framing, sink, channel.alloc());
    }

    /** Takes over a socket that Vert.x opened; called on the owner, before anything is read from the socket. */
    public static WireChannel adopt(Loop owner, NetSocket socket, Framing framing, FrameSink sink) {
        NetSocketInternal internal = (NetSocketInternal) socket;
        WireChannel wire = new WireChannel(owner, internal, framing, sink);
        internal.channelHandlerContext().pipeline().addBefore("handler", "frames", wire.new Handler());
        return wire;
    }

    /** The same for a client, which may begin with TLS at once if that is offered. */
    static WireChannel adopt(Loop owner, NetSocket socket, @Nullable ClientTls tls, FrameSink sink) {
        WireChannel wire = adopt(owner, socket, Framing.CLIENT_STARTUP, sink);
        if (tls != null) {
            wire.channel.pipeline().addBefore("frames", "direct", new WireTls.Direct(wire, tls));
        }
        return wire;
    }

    /** What both sides have shown each other; null for a connection in clear, and until the handshake is over. */
    public @Nullable Encryption encryption() {
        return encryption;
    }

    /** True while a TLS handshake is under way: nothing that is written leaves before its end. */
    public boolean isHandshaking() {
        return handshaking;
    }

    /** Whether bytes have been received behind the frame that is being delivered. Called by the sink. */
    public boolean hasUnread() {
        return reader.hasUnread();
    }

    /**
     * Agrees to TLS: what follows is encrypted both ways, and the sink hears of the end of the handshake. Called on the
     * owner; the caller has made sure that nothing is left unread, for it came in clear.
     */
    public void acceptTls(ClientTls tls) {
        ChannelHandlerContext context = Objects.requireNonNull(handlerContext);
        context.writeAndFlush(Unpooled.wrappedBuffer(new byte[] {'S'}), context.voidPromise());
        startTls(tls, false);
    }

    void startTls(ClientTls tls, boolean isDirect) {
        startTls(tls.handler(channel.alloc()), tls.certificate(), isDirect, Promise.promise());
    }

    void startTls(ServerTls tls, String host, int port, Promise<WireChannel> secured) {
        startTls(tls.handler(channel.alloc(), host, port), null, false, secured);
    }

    /** Asks the server for TLS; completes when what follows is encrypted, or in clear where that may be. */
    void requestTls(ServerTls tls, String host, int port, Promise<WireChannel> answered) {
        channel.pipeline().addBefore("frames", "tls-request", new WireTls.Request(this, tls, host, port, answered));
    }

    private void startTls(
            SslHandler handler, @Nullable X509Certificate own, boolean isDirect, Promise<WireChannel> secured) {
        handshaking = true;
        channel.pipeline().addFirst("tls", handler);
        handler.handshakeFuture().addListener(handshake -> {
            handshaking = false;
            if (handshake.isSuccess()) {
                encryption = new Encryption(
                        own, Encryption.peerOf(handler.engine().getSession()), isDirect, handler.applicationProtocol());
                secured.tryComplete(this);
                reader.secured();
            } else {
                // The handler closes, once its alert is out.
                secured.tryFail(WireTls.cause(handshake.cause()));
            }
        });
    }

    /** Changes what is expected from the peer, from the next frame on. */
    public void framing(Framing framing) {
        reader.framing(framing);
    }

    /** Changes who receives the frames, from the next frame on. */
    public void sink(FrameSink sink) {
        reader.sink(sink);
    }

    /** The peer's address for logs, e.g. {@code 10.0.0.7:51234}. */
    public String remoteAddress() {
        return String.valueOf(remoteAddress);
    }

    /** The peer's IP address and port, or null for a peer without one. */
    public @Nullable InetSocketAddress remoteSocketAddress() {
        return channel.remoteAddress() instanceof InetSocketAddress address ? address : null;
    }

    /** Bytes received so far, encryption not counted. */
    public long receivedBytes() {
        return reader.receivedBytes();
    }

    /** Bytes written so far, encryption not counted. */
    public long sentBytes() {
        return sentBytes;
    }

    /** The loop that the channel is at home on. */
    public Loop home() {
        return home;
    }

    /** The loop that the socket belongs to. */
    public Loop owner() {
        return owner;
    }

    /** A buffer to write a message into. */
    public ByteBuf buffer(int initialBytes) {
        return channel.alloc().ioBuffer(initialBytes);
    }

    /** Queues bytes for the peer, sent at the end of the turn; takes over the reference to the buffer. */
    public void write(ByteBuf bytes) {
        ChannelHandlerContext context = handlerContext;
        if (closing || closed || context == null) {
            bytes.release();
            return;
        }
        queueRun(context);
        sentBytes += bytes.readableBytes();
        context.write(bytes, context.voidPromise());
        soil();
    }

    /**
     * Queues bytes of a buffer that adjoin those queued before, if they do, as one piece with them. The caller keeps
     * its reference.
     */
    public void write(ByteBuf buffer, int start, int end) {
        sentBytes += end - start;
        if (buffer == runBuffer && start == runEnd) {
            runEnd = end;
            return;
        }
        ChannelHandlerContext context = handlerContext;
        if (closing || closed || context == null) {
            return;
        }
        queueRun(context);
        runBuffer = buffer.retain();
        runStart = start;
        runEnd = end;
        soil();
    }

    private void queueRun(ChannelHandlerContext context) {
        ByteBuf buffer = runBuffer;
        if (buffer != null) {
            runBuffer = null;
            context.write(buffer.slice(runStart, runEnd - runStart), context.voidPromise());
        }
    }

    private void dropRun() {
        ByteBuf buffer = runBuffer;
        if (buffer != null) {
            runBuffer = null;
            buffer.release();
        }
    }

    private void soil() {
        if (!dirty) {
            dirty = true;
            home.written(this);
        }
    }

    /** Queues bytes for the peer; the array must not change afterwards. */
    public void write(byte[] bytes) {
        write(Unpooled.wrappedBuffer(bytes));
    }

    void flushNow() {
        dirty = false;
        ChannelHandlerContext context = handlerContext;
        if (context != null) {
            queueRun(context);
            context.flush();
        }
    }

    /**
     * False while more bytes wait for the peer than it takes; the sink hears of the change. True when the connection is
     * gone: what is written is dropped then, and nobody would hear of a change any more.
     */
    public boolean isWritable() {
        return isClosed() || channel.isWritable();
    }

    /** Stops or resumes reading from the socket; what has been read already is still delivered. */
    public void reading(boolean enabled) {
        if (channel.config().isAutoRead() != enabled) {
            channel.config().setAutoRead(enabled);
        }
    }

    /** True from {@link #close()} on, or when the connection is gone. */
    public boolean isClosed() {
        return closing || closed;
    }

    /** Sends what is queued, then closes; a peer that does not take it is cut off after a grace. */
    public void close() {
        if (closing || closed) {
            return;
        }
        closing = true;
        reader.stop();
        ChannelHandlerContext context = Objects.requireNonNull(handlerContext);
        queueRun(context);
        var unused = context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        owner.execute(() -> {
            reading(true);
            closeAfterGrace();
        });
    }

    /**
     * Leaves it to the peer to close, as a server does at Terminate when its process has ended; one that does not in
     * time is cut off.
     */
    public void closeByPeer() {
        owner.execute(() -> {
            reading(true);
            closeAfterGrace();
        });
    }

    private void closeAfterGrace() {
        if (channel.isOpen()) {
            Loop.Timer timer = owner.schedule(CLOSE_GRACE_MILLIS, channel::close);
            channel.closeFuture().addListener(done -> timer.cancel());
        }
    }

    /** Closes at once; queued bytes are lost. */
    public void abort() {
        closing = true;
        dropRun();
        reader.stop();
        var unused = channel.close();
    }

    /**
     * Makes another loop the home; called on the owner, which must not use the channel until it is given back. Frames
     * that the running turn of the owner has yet to deliver are delivered there first.
     */
    public void lendTo(Loop borrower, Runnable onBorrower) {
        owner.execute(() -> {
            residence = Residence.LENT;
            postTo = borrower;
            home = borrower;
            borrower.execute(onBorrower);
        });
    }

    /** Makes the owner the home again; called on the borrower, which must not use the channel any more. */
    public void giveBack(Runnable onOwner) {
        Loop borrower = home;
        owner.execute(() -> {
            residence = Residence.RETURNING;
            borrower.execute(() -> {
                home = owner;
                owner.execute(() -> {
                    residence = Residence.OWNED;
                    postTo = owner;
                    onOwner.run();
                    for (Runnable event = kept.poll(); event != null; event = kept.poll()) {
                        event.run();
                    }
                });
            });
        });
    }

    /** On the owner: hands an event of the socket to whoever is at home. */
    private void deliver(Runnable event) {
        switch (residence) {
            case OWNED -> event.run();
            case LENT -> postTo.execute(event);
            case RETURNING -> kept.add(event);
        }
    }

    private void read(ByteBuf bytes) {
        home.beginRead();
        try {
            reader.read(bytes);
        } catch (RuntimeException bug) {
            // On the owner the pipeline would close: a borrower must, or the other side would wait for ever.
            LOG.error("internal error on the borrowed connection of {}", remoteAddress, bug);
            abort();
        } finally {
            home.endRead();
        }
    }

    private void deliverClosed(@Nullable Throwable cause) {
        if (!closed) {
            closed = true;
            dropRun();
            reader.closed(cause);
        }
    }

    /** The handler in the socket's pipeline; it runs on the owner. */
    private final class Handler extends ChannelInboundHandlerAdapter {

        private @Nullable Throwable cause;

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            handlerContext = context;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            if (residence == Residence.OWNED) {
                owner.beginRead();
                reader.read(bytes);
            } else {
                deliver(() -> read(bytes));
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            owner.endRead();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            boolean writable = context.channel().isWritable();
            deliver(() -> reader.writabilityChanged(writable));
            context.fireChannelWritabilityChanged();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable fault) {
            if (!WireTls.isOfPeer(fault)) {
                LOG.error("internal error on the connection of {}", remoteAddress, fault);
            }
            // A reset by the peer and the like: the channel's end tells the sink.
            cause = WireTls.cause(fault);
            var unused = context.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            Throwable reason = cause;
            deliver(() -> deliverClosed(reason));
            context.fireChannelInactive();
        }
    }
}
