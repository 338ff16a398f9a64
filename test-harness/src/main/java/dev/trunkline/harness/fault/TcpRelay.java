package dev.trunkline.harness.fault;

import dev.trunkline.harness.pg.HarnessException;
import dev.trunkline.harness.pg.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A TCP relay in front of a server that a test can make fail: it cuts, delays, freezes and counts each direction, and
 * refuses connections. Its port stays the same. Settings hold for all its connections, present and future. Thread-safe.
 */
public final class TcpRelay implements AutoCloseable {

    private final String targetHost;
    private final int targetPort;
    private final int port = Ports.free();
    private final Map<Direction, Valve> valves = new EnumMap<>(Direction.class);
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private @Nullable ServerSocket listener;
    private @Nullable Thread acceptor;

    private TcpRelay(String targetHost, int targetPort) {
        this.targetHost = targetHost;
        this.targetPort = targetPort;
        for (Direction direction : Direction.values()) {
            valves.put(direction, new Valve());
        }
        accept();
    }

    /** A relay that accepts on a free port of 127.0.0.1. */
    public static TcpRelay to(String host, int port) {
        return new TcpRelay(host, port);
    }

    public int port() {
        return port;
    }

    /** Accepts connections, again after {@link #refuse}. */
    public synchronized void accept() {
        if (listener != null) {
            return;
        }
        try {
            ServerSocket opened = new ServerSocket();
            opened.setReuseAddress(true);
            opened.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
            listener = opened;
            acceptor = Threads.daemon("relay-accept", () -> acceptAll(opened));
            acceptor.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Refuses new connections; those that exist live on. */
    public synchronized void refuse() {
        ServerSocket open = listener;
        Thread accepting = acceptor;
        listener = null;
        acceptor = null;
        if (open != null && accepting != null) {
            Threads.closeQuietly(open);
            // The kernel keeps listening for as long as a thread is inside of accept().
            Threads.join(accepting);
        }
    }

    /** Lets nothing pass in this direction; connections stay open. */
    public void freeze(Direction direction) {
        valve(direction).freeze();
    }

    /** Ends {@link #freeze} and the hold of {@link #holdBefore}; what waited goes on. */
    public void thaw(Direction direction) {
        valve(direction).thaw();
    }

    /**
     * Freezes the direction as soon as a chunk with this text comes, before it is forwarded; once.
     *
     * <p>The text is looked for in what one read of the socket gave, which holds for the short statements of tests.
     */
    public void holdBefore(Direction direction, String text) {
        valve(direction).holdBefore(text);
    }

    /** Returns when the text of {@link #holdBefore} has come and is held; fails after ten seconds. */
    public void awaitHold(Direction direction) {
        try {
            if (!valve(direction).awaitHold()) {
                throw new AssertionError("nothing came to be held " + direction);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HarnessException("interrupted", e);
        }
    }

    /** Lets every chunk of this direction wait; zero ends it. */
    public void delay(Direction direction, Duration delay) {
        valve(direction).delay(delay);
    }

    /** Ends the connection that forwards the n-th byte from now in this direction, right after that byte; once. */
    public void cutAfter(Direction direction, long bytes, Cut how) {
        valve(direction).cutAfter(bytes, how);
    }

    /** Ends all connections that exist now. */
    public void cutAll(Cut how) {
        links.forEach(link -> link.cut(how));
    }

    /** Bytes forwarded in this direction since the relay started. */
    public long bytes(Direction direction) {
        return valve(direction).passed();
    }

    /** Connections accepted since the relay started. */
    public int connections() {
        return accepted.get();
    }

    /** Connections that exist now. */
    public int live() {
        return links.size();
    }

    @Override
    public void close() {
        refuse();
        cutAll(Cut.RST);
        valves.values().forEach(Valve::thaw);
    }

    Valve valve(Direction direction) {
        Valve valve = valves.get(direction);
        if (valve == null) {
            throw new IllegalStateException();
        }
        return valve;
    }

    void ended(Link link) {
        links.remove(link);
    }

    private void acceptAll(ServerSocket from) {
        while (!from.isClosed()) {
            try {
                Socket client = from.accept();
                if (from.isClosed()) {
                    Threads.resetQuietly(client);
                } else {
                    accepted.incrementAndGet();
                    connect(client);
                }
            } catch (IOException e) {
                // The listener was closed: refuse().
                return;
            }
        }
    }

    private void connect(Socket client) {
        try {
            Link link = new Link(this, client, new Socket(targetHost, targetPort));
            links.add(link);
            link.start();
        } catch (IOException e) {
            // The server is down: whoever asked through us is told so by a reset.
            Threads.resetQuietly(client);
        }
    }
}
