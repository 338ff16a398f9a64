package dev.trunkline.proxy.net;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Opens sockets through Vert.x and hands them out as framed channels. */
public final class Wire {

    /** Pending connections that the kernel may hold while we accept. */
    private static final int ACCEPT_BACKLOG = 4096;

    private final Vertx vertx;
    private final Loop loop;
    private final NetClient client;
    private final long connectTimeoutMillis;
    private final Tls tls;

    /** The sockets of one loop; called on it. */
    public Wire(Vertx vertx, Loop loop, long connectTimeoutMillis, Tls tls) {
        this.vertx = vertx;
        this.loop = loop;
        this.connectTimeoutMillis = connectTimeoutMillis;
        this.tls = tls;
        this.client = vertx.createNetClient(
                new NetClientOptions().setTcpNoDelay(true).setTcpKeepAlive(true).setConnectTimeout((int)
                        connectTimeoutMillis));
    }

    /**
     * Listens on an address; several loops may listen on the same one and share its clients. {@code onAccept} is called
     * on this loop with a function that makes the channel, which must be called before it returns.
     */
    public Future<NetServer> listen(String host, int port, Accept onAccept) {
        NetServer server = vertx.createNetServer(
                new NetServerOptions().setTcpNoDelay(true).setTcpKeepAlive(true).setAcceptBacklog(ACCEPT_BACKLOG));
        server.connectHandler(socket -> onAccept.accept(sink -> WireChannel.adopt(loop, socket, tls.clients(), sink)));
        return loop.inContext(() -> server.listen(port, host));
    }

    /** The encryption in force. */
    public Tls tls() {
        return tls;
    }

    /**
     * Connects to a server, encrypted as the settings ask for. Fails with the cause when it cannot be reached within the
     * time-out, or not in the way that is asked for.
     */
    public Future<WireChannel> connect(String host, int port, FrameSink sink) {
        ServerTls encryption = tls.servers();
        return loop.inContext(() -> client.connect(port, host)).compose(socket -> {
            WireChannel channel = WireChannel.adopt(loop, socket, Framing.SERVER, sink);
            return encryption == null ? Future.succeededFuture(channel) : secure(channel, encryption, host, port);
        });
    }

    private Future<WireChannel> secure(WireChannel channel, ServerTls encryption, String host, int port) {
        Promise<WireChannel> secured = Promise.promise();
        Loop.Timer timer = loop.schedule(connectTimeoutMillis, () -> {
            if (secured.tryFail(new TimeoutException("no answer to SSLRequest in time"))) {
                channel.abort();
            }
        });
        channel.requestTls(encryption, host, port, secured);
        return secured.future().onComplete(result -> timer.cancel());
    }

    /** Receives accepted connections. */
    @FunctionalInterface
    public interface Accept {
        /** Makes the channel with the sink of its choice. */
        void accept(Function<FrameSink, WireChannel> channel);
    }
}
