package dev.trunkline.harness.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** One connection through a relay: two sockets and a pump per direction. */
final class Link {

    private static final int CHUNK_BYTES = 1 << 14;

    private final TcpRelay relay;
    private final Socket client;
    private final Socket server;
    private final AtomicInteger openDirections = new AtomicInteger(2);
    private volatile boolean cut;

    Link(TcpRelay relay, Socket client, Socket server) throws IOException {
        this.relay = relay;
        this.client = client;
        this.server = server;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    void start() {
        Threads.start("relay-to-server", () -> pump(client, server, relay.valve(Direction.TO_SERVER)));
        Threads.start("relay-to-client", () -> pump(server, client, relay.valve(Direction.TO_CLIENT)));
    }

    void cut(Cut how) {
        cut = true;
        if (how == Cut.RST) {
            Threads.resetQuietly(client);
            Threads.resetQuietly(server);
        } else {
            // Not closed yet: closing a socket with unread data would send a reset. The pumps drain both first.
            Threads.finishQuietly(client);
            Threads.finishQuietly(server);
        }
        relay.valve(Direction.TO_SERVER).wake();
        relay.valve(Direction.TO_CLIENT).wake();
    }

    private void pump(Socket from, Socket to, Valve valve) {
        try {
            copy(from.getInputStream(), to.getOutputStream(), valve);
            Threads.finishQuietly(to);
        } catch (IOException e) {
            // One side has reset the connection: so does the other.
            cut(Cut.RST);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (openDirections.decrementAndGet() == 0) {
            Threads.closeQuietly(client);
            Threads.closeQuietly(server);
            relay.ended(this);
        }
    }

    private void copy(InputStream in, OutputStream out, Valve valve) throws IOException, InterruptedException {
        byte[] chunk = new byte[CHUNK_BYTES];
        for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
            if (cut) {
                continue; // drained, see cut()
            }
            Valve.Passage passage = valve.admit(chunk, length, () -> cut);
            if (!cut) {
                out.write(chunk, 0, passage.bytes());
            }
            if (passage.cut() != null) {
                cut(passage.cut());
            }
        }
    }
}
