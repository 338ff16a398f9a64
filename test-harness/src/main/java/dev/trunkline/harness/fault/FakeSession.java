package dev.trunkline.harness.fault;

import dev.trunkline.harness.wire.Backend;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.FrameBody;
import dev.trunkline.harness.wire.FrameSocket;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A fake server's end of one connection, for a {@link Behaviour}; used on that behaviour's thread only. */
public final class FakeSession implements AutoCloseable {

    private static final Duration IDLE = Duration.ofSeconds(60);
    private static final int PROTOCOL_3 = 3;
    private static final int CANCEL_REQUEST = 80877102;

    private final FakeServer server;
    private final FrameSocket socket;

    FakeSession(FakeServer server, Socket socket) throws IOException {
        this.server = server;
        this.socket = new FrameSocket(socket);
    }

    /** Ends a behaviour when the client has gone. */
    static final class Ended extends RuntimeException {

        Ended() {
            super("the client has gone", null, false, false);
        }
    }

    /** Declines encryption and reads the startup packet; its parameters in their order. */
    public Map<String, String> startup() {
        Frame packet = untyped();
        FrameBody body = packet.reader();
        int code = body.int32();
        while (code >> 16 != PROTOCOL_3) {
            if (code == CANCEL_REQUEST) {
                throw new Ended();
            }
            sendRaw(new byte[] {'N'});
            body = untyped().reader();
            code = body.int32();
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String name = body.string(); !name.isEmpty(); name = body.string()) {
            parameters.put(name, body.string());
        }
        return parameters;
    }

    /** Reads the startup packet, lets everybody in and is ready for queries. */
    public void login() {
        Map<String, String> parameters = startup();
        send(
                Backend.authenticationOk(),
                Backend.parameterStatus("server_version", "18.6"),
                Backend.parameterStatus("server_encoding", "UTF8"),
                Backend.parameterStatus("client_encoding", "UTF8"),
                Backend.parameterStatus("DateStyle", "ISO, MDY"),
                Backend.parameterStatus("IntervalStyle", "postgres"),
                Backend.parameterStatus("TimeZone", "UTC"),
                Backend.parameterStatus("integer_datetimes", "on"),
                Backend.parameterStatus("standard_conforming_strings", "on"),
                Backend.parameterStatus("application_name", parameters.getOrDefault("application_name", "")),
                Backend.backendKeyData(4711, 815),
                Backend.readyForQuery('I'));
    }

    /** The next message of the client; the behaviour ends here when the client has gone. */
    public Frame read() {
        while (socket.isSilentFor(IDLE)) {
            continue; // a pooled connection may be idle for as long as it likes
        }
        @Nullable Frame frame = socket.readOrEnd();
        if (frame == null) {
            throw new Ended();
        }
        return frame;
    }

    /** Sends messages at once. */
    public void send(Frame... frames) {
        for (Frame frame : frames) {
            socket.write(frame.bytes());
        }
        socket.flush();
    }

    /** Sends bytes as they are. */
    public void sendRaw(byte[] bytes) {
        socket.write(bytes);
        socket.flush();
    }

    /** Reads and says nothing until the client has gone. */
    public void staySilent() {
        while (true) {
            Frame unused = read();
        }
    }

    /** The same for bytes that need not be messages. */
    public void readToEnd() {
        var unused = socket.readToEnd();
    }

    /** Ends the connection by a reset. */
    public void reset() {
        socket.reset();
    }

    @Override
    public void close() {
        socket.close();
    }

    void noteStatement(String sql) {
        server.noteStatement(sql);
    }

    private Frame untyped() {
        @Nullable Frame packet = socket.readUntypedOrEnd();
        if (packet == null) {
            throw new Ended();
        }
        return packet;
    }
}
