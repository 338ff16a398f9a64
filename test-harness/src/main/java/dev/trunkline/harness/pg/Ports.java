package dev.trunkline.harness.pg;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds free TCP ports. */
public final class Ports {

    /** Below the ports that systems give to outgoing connections, so that none takes a port while its server is down. */
    private static final int FIRST = 15000;

    private static final int LAST = 31999;

    private Ports() {}

    /** A port of 127.0.0.1 on which nothing listens at this moment. */
    public static int free() {
        for (int attempt = 0; attempt < 200; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
            if (isFree(port)) {
                return port;
            }
        }
        throw new HarnessException("no free port");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
