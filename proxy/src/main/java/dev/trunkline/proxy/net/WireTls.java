package dev.trunkline.proxy.net;

import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.frontend.SslRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.Promise;
import java.io.IOException;
import javax.net.ssl.SSLException;

/** The handlers by which a connection comes to be encrypted; each leaves the pipeline when its job is done. */
final class WireTls {

    /** The first byte of a TLS handshake. A start-up packet begins with the high byte of its length, which is 0. */
    private static final byte TLS_HANDSHAKE = 0x16;

    /** A peer that does not take the end of the encryption is cut off after this time. */
    private static final long CLOSE_NOTIFY_MILLIS = 1_000;

    private WireTls() {}

    /** The handshake has no limit of its own: logins are bounded as a whole, on both sides. */
    static SslHandler bounded(SslHandler handler) {
        handler.setHandshakeTimeoutMillis(0);
        handler.setCloseNotifyFlushTimeoutMillis(CLOSE_NOTIFY_MILLIS);
        return handler;
    }

    /** Whether a fault is the doing of the peer or of the network, rather than ours. */
    static boolean isOfPeer(Throwable fault) {
        return fault instanceof IOException
                || (fault instanceof DecoderException && fault.getCause() instanceof SSLException);
    }

    /** The fault itself: what goes wrong while bytes are decoded comes wrapped. */
    static Throwable cause(Throwable fault) {
        Throwable cause = fault.getCause();
        return fault instanceof DecoderException && cause != null ? cause : fault;
    }

    /** Looks at the first byte of a client and starts TLS if it is that of a handshake ({@code sslnegotiation=direct}). */
    static final class Direct extends ChannelInboundHandlerAdapter {

        private final WireChannel wire;
        private final ClientTls tls;

        Direct(WireChannel wire, ClientTls tls) {
            this.wire = wire;
            this.tls = tls;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            ChannelPipeline pipeline = context.pipeline();
            if (bytes.isReadable() && bytes.getByte(bytes.readerIndex()) == TLS_HANDSHAKE) {
                pipeline.remove(this);
                wire.startTls(tls, true);
                pipeline.fireChannelRead(bytes);
            } else {
                context.fireChannelRead(bytes);
                pipeline.remove(this);
            }
        }
    }

    /** Asks a server for TLS and reads its answer, one byte, and nothing behind it. */
    static final class Request extends ChannelInboundHandlerAdapter {

        private final WireChannel wire;
        private final ServerTls tls;
        private final String host;
        private final int port;
        private final Promise<WireChannel> answered;

        Request(WireChannel wire, ServerTls tls, String host, int port, Promise<WireChannel> answered) {
            this.wire = wire;
            this.tls = tls;
            this.host = host;
            this.port = port;
            this.answered = answered;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            FrameWriter request = new FrameWriter();
            new SslRequest().encode(request);
            var unused = context.writeAndFlush(Unpooled.wrappedBuffer(request.toByteArray()));
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            if (!bytes.isReadable()) {
                bytes.release();
                return;
            }
            byte answer = bytes.readByte();
            boolean isAlone = !bytes.isReadable();
            bytes.release();
            context.pipeline().remove(this);
            if (!isAlone) {
                // They would be taken for what the server says under encryption.
                fail("the server sent unencrypted data behind its answer to SSLRequest");
            } else if (answer == 'S') {
                wire.startTls(tls, host, port, answered);
            } else if (answer == 'N' && !tls.isRequired()) {
                answered.tryComplete(wire);
            } else if (answer == 'N') {
                fail("the server does not offer TLS, which \"tls_verify\" demands");
            } else {
                fail("the server does not understand SSLRequest");
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            fail("the server closed the connection instead of answering SSLRequest");
            context.fireChannelInactive();
        }

        private void fail(String reason) {
            if (answered.tryFail(new SSLException(reason))) {
                wire.abort();
            }
        }
    }
}
