package dev.trunkline.harness.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server on 127.0.0.1 that speaks as much PostgreSQL as its {@link Behaviour} wants. Thread-safe.
 *
 * <p>Misbehaviours are classes: {@link AcceptThenNeverAnswer}, {@link CloseAfterStartup}, {@link RefuseLogin} for a
 * whole connection; {@link CloseMidRow}, {@link GarbageFrame}, {@link NeverAnswer} as reactions of {@link Scripted}.
 */
public final class FakeServer implements AutoCloseable {

    private final ServerSocket listener;
    private final Set<FakeSession> sessions = ConcurrentHashMap.newKeySet();
    private final List<String> statements = new CopyOnWriteArrayList<>();
    private volatile Behaviour behaviour;
    private volatile int accepted;

    private FakeServer(Behaviour behaviour) {
        this.behaviour = behaviour;
        try {
            this.listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A server that accepts. */
    public static FakeServer start(Behaviour behaviour) {
        FakeServer server = new FakeServer(behaviour);
        Threads.start("fake-server", server::acceptAll);
        return server;
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** From the next connection on. */
    public void behave(Behaviour next) {
        behaviour = next;
    }

    /** Connections accepted so far. */
    public int connections() {
        return accepted;
    }

    /** The texts of all statements that {@link Scripted} sessions have got, in the order of their coming. */
    public List<String> statements() {
        return List.copyOf(statements);
    }

    @Override
    public void close() {
        Threads.closeQuietly(listener);
        sessions.forEach(FakeSession::reset);
    }

    void noteStatement(String sql) {
        statements.add(sql);
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                FakeSession session = new FakeSession(this, listener.accept());
                accepted = accepted + 1;
                sessions.add(session);
                Threads.start("fake-session", () -> serve(session));
            } catch (IOException e) {
                // close() was called.
                return;
            }
        }
    }

    private void serve(FakeSession session) {
        try (session) {
            behaviour.serve(session);
        } catch (FakeSession.Ended e) {
            // The client has gone: nothing is left to do.
        } finally {
            sessions.remove(session);
        }
    }
}
