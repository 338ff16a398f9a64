package dev.trunkline.harness.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A blocking, scripted PostgreSQL client.
 *
 * <p>What is sent is gathered and leaves as one write before the next read, so a chain of calls is a pipeline:
 *
 * <pre>{@code
 * client.parse("", "SELECT $1::int").bind("", "", "7").execute("").sync().expect("1", "2", "D 7", "C SELECT 1", "Z I");
 * }</pre>
 *
 * Patterns of {@link #expect} are explained at {@link Notation#fits}. Every wait ends within ten seconds; a failure
 * shows the exchange in hexadecimal. One thread at a time, save {@link #cancel}.
 */
public final class WireClient implements AutoCloseable {

    private static final int CONNECT_TIMEOUT_MILLIS = 5000;

    private final String host;
    private final int port;
    private final FrameSocket socket;
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private int processId;
    private byte[] secretKey = new byte[0];

    private WireClient(String host, int port, FrameSocket socket) {
        this.host = host;
        this.port = port;
        this.socket = socket;
    }

    /** A connection on which nothing has been said yet. */
    public static WireClient connect(String host, int port) {
        return new WireClient(host, port, open(host, port));
    }

    /** A connection that is ready for queries; {@code password} is used if the server asks for it. */
    public static WireClient login(String host, int port, String user, String database, String password) {
        return connect(host, port).startup(user, database, password);
    }

    /** A connection that is ready for queries, by trust. */
    public static WireClient login(String host, int port, String user, String database) {
        return login(host, port, user, database, "");
    }

    // ---- start-up

    /** Sends the startup packet, authenticates and reads up to the first ReadyForQuery. */
    public WireClient startup(String user, String database, String password) {
        Frame answer = authenticate(Map.of("user", user, "database", database), password);
        if (answer.type() != 'R') {
            throw socket.failure("login failed: " + answer);
        }
        return ready();
    }

    /**
     * Sends a startup packet with the given parameters and authenticates.
     *
     * @return AuthenticationOk, or the ErrorResponse that came instead
     */
    public Frame authenticate(Map<String, String> startupParameters, String password) {
        socket.write(Frontend.startup(Frontend.PROTOCOL_3_0, startupParameters).bytes());
        Frame frame = socket.read();
        while (frame.type() == 'v' || frame.type() == 'N') {
            frame = socket.read();
        }
        if (frame.type() != 'R') {
            return frame;
        }
        int method = frame.reader().int32();
        return switch (method) {
            case 0 -> frame;
            case 3 -> passwordAnswer(password);
            case 5 -> passwordAnswer(md5(startupParameters.getOrDefault("user", ""), password, frame));
            case 10 -> new ScramLogin(socket, password).answer(frame);
            default -> throw socket.failure("authentication method " + method);
        };
    }

    private Frame passwordAnswer(String answer) {
        socket.write(Frontend.password(answer).bytes());
        return socket.read();
    }

    private static String md5(String user, String password, Frame challenge) {
        FrameBody body = challenge.reader();
        body.skip(4); // the method: md5
        String stored = md5((password + user).getBytes(StandardCharsets.UTF_8), new byte[0]);
        return "md5" + md5(stored.getBytes(StandardCharsets.US_ASCII), body.rest());
    }

    private static String md5(byte[] content, byte[] salt) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            digest.update(content);
            return HexFormat.of().formatHex(digest.digest(salt));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads what follows AuthenticationOk up to the first ReadyForQuery. */
    public WireClient ready() {
        for (Frame frame = socket.read(); frame.type() != 'Z'; frame = socket.read()) {
            switch (frame.type()) {
                case 'S' -> note(frame);
                case 'K' -> noteKey(frame);
                case 'E' -> throw socket.failure("login failed: " + frame);
                default -> {}
            }
        }
        return this;
    }

    /** The latest value that the server reported for a run-time parameter; null if it never did. */
    public @Nullable String parameter(String name) {
        return parameters.get(name);
    }

    /** The process ID of BackendKeyData. */
    public int processId() {
        return processId;
    }

    // ---- sending

    public WireClient send(Frame... frames) {
        for (Frame frame : frames) {
            socket.write(frame.bytes());
        }
        return this;
    }

    /** Sends bytes as they are. */
    public WireClient sendRaw(byte[] bytes) {
        socket.write(bytes);
        return this;
    }

    /** Sends bytes given in hexadecimal; spaces do not count. */
    public WireClient sendHex(String hex) {
        return sendRaw(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    public WireClient query(String sql) {
        return send(Frontend.query(sql));
    }

    public WireClient parse(String statement, String sql, int... types) {
        return send(Frontend.parse(statement, sql, types));
    }

    /** Binds values (a byte[] as binary, null as NULL, anything else as text); results come as text. */
    public WireClient bind(String portal, String statement, @Nullable Object... values) {
        return send(Frontend.bind(portal, statement, values));
    }

    public WireClient describe(String portal) {
        return send(Frontend.describePortal(portal));
    }

    public WireClient describeStatement(String statement) {
        return send(Frontend.describeStatement(statement));
    }

    public WireClient execute(String portal) {
        return execute(portal, 0);
    }

    /** Executes a portal for the given number of rows; 0 = all. */
    public WireClient execute(String portal, int mostRows) {
        return send(Frontend.execute(portal, mostRows));
    }

    public WireClient closeStatement(String statement) {
        return send(Frontend.closeStatement(statement));
    }

    public WireClient closePortal(String portal) {
        return send(Frontend.closePortal(portal));
    }

    public WireClient sync() {
        return send(Frontend.sync());
    }

    public WireClient flush() {
        return send(Frontend.flush());
    }

    /** Hands what was gathered to the network without reading. */
    public WireClient push() {
        socket.flush();
        return this;
    }

    // ---- reading

    /** The next message; ParameterStatus is noted and skipped. */
    public Frame read() {
        Frame frame = socket.read();
        while (frame.type() == 'S') {
            note(frame);
            frame = socket.read();
        }
        return frame;
    }

    /** The next message of whatever type. */
    public Frame readAny() {
        return socket.read();
    }

    /** The next message of whatever type; null when the connection has ended. */
    public @Nullable Frame readOrEnd() {
        return socket.readOrEnd();
    }

    /** One byte that is no message: an answer to a request for encryption; -1 at the end. */
    public int readByte() {
        return socket.readByte();
    }

    /** All that comes up to the end of the stream, undecoded: for answers of which nothing is known beforehand. */
    public Remainder readToEnd() {
        return socket.readToEnd();
    }

    /** Reads one message per pattern and fails at the first that does not fit; see {@link Notation#fits}. */
    public WireClient expect(String... patterns) {
        for (String pattern : patterns) {
            Frame frame = pattern.startsWith("S") ? socket.read() : read();
            if (!Notation.fits(frame, pattern)) {
                throw socket.failure(
                        "expected \"" + pattern + "\" of " + List.of(patterns) + ", got \"" + frame + "\"");
            }
        }
        return this;
    }

    /** Everything up to and with the next ReadyForQuery. */
    public Answer answer() {
        List<Frame> frames = new ArrayList<>();
        Frame frame;
        do {
            frame = read();
            frames.add(frame);
        } while (frame.type() != 'Z');
        return new Answer(frames);
    }

    /** Runs statements by the simple protocol. */
    public Answer simple(String sql) {
        return query(sql).answer();
    }

    /** Runs one statement by the extended protocol: unnamed statement and portal; values as in {@link #bind}. */
    public Answer extended(String sql, @Nullable Object... values) {
        return parse("", sql)
                .bind("", "", values)
                .describe("")
                .execute("")
                .sync()
                .answer();
    }

    /** Sends SSLRequest and returns the server's one byte: 'S' or 'N'; -1 if it closed. */
    public int sslRequest() {
        socket.write(Frontend.sslRequest().bytes());
        return socket.readByte();
    }

    /** Asks for TLS, which must be granted, and goes on under it. */
    public WireClient secure(SSLSocketFactory factory) {
        int answer = sslRequest();
        if (answer != 'S') {
            throw socket.failure("expected S, got " + answer);
        }
        return tls(factory);
    }

    /** Goes on under TLS without asking first; {@code protocols} are what ALPN asks for. */
    public WireClient tls(SSLSocketFactory factory, String... protocols) {
        socket.secure(factory, host, protocols);
        return this;
    }

    /** The certificate that the peer has shown; null in clear. */
    public @Nullable X509Certificate peerCertificate() {
        return socket.peerCertificate();
    }

    /** Sends GSSENCRequest and returns the server's one byte: 'G' or 'N'; -1 if it closed. */
    public int gssEncRequest() {
        socket.write(Frontend.gssEncRequest().bytes());
        return socket.readByte();
    }

    /** Fails unless the server closes the connection now, with nothing said before. */
    public void expectClosed() {
        Frame frame = socket.readOrEnd();
        if (frame != null) {
            throw socket.failure("expected the end of the connection, got " + frame);
        }
    }

    /** Fails if anything arrives, or the connection ends, within the given time. */
    public WireClient expectSilence(Duration duration) {
        if (!socket.isSilentFor(duration)) {
            throw socket.failure("expected silence for " + duration);
        }
        return this;
    }

    // ---- other ways out

    /** Sends a CancelRequest for this connection on one of its own, and waits until the server has taken it. */
    public void cancel() {
        try (FrameSocket other = open(host, port)) {
            other.write(Frontend.cancelRequest(processId, secretKey).bytes());
            if (other.readByte() >= 0) {
                throw other.failure("a server says nothing to a CancelRequest");
            }
        }
    }

    /** The same over TLS. */
    public void cancel(SSLSocketFactory factory) {
        try (WireClient other = connect(host, port)) {
            other.secure(factory)
                    .send(Frontend.cancelRequest(processId, secretKey))
                    .expectClosed();
        }
    }

    /** Ends the connection by a reset, as a client that crashes with unread data does. */
    public void reset() {
        socket.reset();
    }

    /** Ends our direction only: the server may still answer. */
    public void shutdownOutput() {
        socket.shutdownOutput();
    }

    /** Says goodbye in order and waits until the server has closed. */
    public void terminate() {
        socket.write(Frontend.terminate().bytes());
        expectClosed();
        socket.close();
    }

    /** Closes the socket without a word. */
    @Override
    public void close() {
        socket.close();
    }

    private static FrameSocket open(String host, int port) {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), CONNECT_TIMEOUT_MILLIS);
            return new FrameSocket(socket);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot connect to " + host + ":" + port, e);
        }
    }

    private void note(Frame parameterStatus) {
        FrameBody body = parameterStatus.reader();
        parameters.put(body.string(), body.string());
    }

    private void noteKey(Frame backendKeyData) {
        FrameBody body = backendKeyData.reader();
        processId = body.int32();
        secretKey = body.rest();
    }
}
