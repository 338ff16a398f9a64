package dev.trunkline.harness.fault;

import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;

/** Daemon threads, and sockets that end without a complaint: both may be gone already when a fault is played. */
final class Threads {

    private Threads() {}

    static void start(String name, Runnable body) {
        daemon(name, body).start();
    }

    /** A thread that has not been started. */
    static Thread daemon(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Waits until a thread has ended. */
    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            // Closed is closed.
        }
    }

    static void resetQuietly(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // Already closed.
        }
        closeQuietly(socket);
    }

    static void finishQuietly(Socket socket) {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            // Already closed.
        }
    }
}
