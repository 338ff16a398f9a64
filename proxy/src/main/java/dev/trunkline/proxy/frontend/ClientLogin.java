package dev.trunkline.proxy.frontend;

import dev.trunkline.conf.PoolerMode;
import dev.trunkline.conf.User;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.backend.AuthenticationOk;
import dev.trunkline.protocol.backend.BackendKeyData;
import dev.trunkline.protocol.backend.BackendMessage;
import dev.trunkline.protocol.backend.ErrorResponse;
import dev.trunkline.protocol.backend.NegotiateProtocolVersion;
import dev.trunkline.protocol.backend.ParameterStatus;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.protocol.error.Severity;
import dev.trunkline.protocol.frontend.CancelRequest;
import dev.trunkline.protocol.frontend.GssEncRequest;
import dev.trunkline.protocol.frontend.SslRequest;
import dev.trunkline.protocol.frontend.StartupMessage;
import dev.trunkline.proxy.auth.ProvenSecret;
import dev.trunkline.proxy.engine.DatabaseState;
import dev.trunkline.proxy.engine.RouteCounters;
import dev.trunkline.proxy.engine.Session;
import dev.trunkline.proxy.engine.SessionPlace;
import dev.trunkline.proxy.engine.SessionStart;
import dev.trunkline.proxy.engine.StartupLearning;
import dev.trunkline.proxy.net.ClientTls;
import dev.trunkline.proxy.net.Encryption;
import dev.trunkline.proxy.net.FrameSink;
import dev.trunkline.proxy.net.Framing;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.WireChannel;
import dev.trunkline.proxy.pool.LoopPool;
import dev.trunkline.proxy.pool.Pools;
import dev.trunkline.proxy.settings.Settings;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start-up conversation with one client, up to its first ReadyForQuery. States:
 *
 * <ul>
 *   <li>STARTUP: GSSENCRequest is answered {@code N}, SSLRequest as well unless TLS is configured; a CancelRequest is
 *       carried out and the connection closed; a StartupMessage leads on.
 *   <li>SECURING: the TLS handshake is under way; then STARTUP again, without further requests for encryption.
 *   <li>AUTHENTICATING: the client proves who it is ({@link ClientProof}); an unknown user or database goes through the
 *       same exchange and fails at its end.
 *   <li>LEARNING: the client is who it says; what a server reports after its start-up settings is being found out.
 *   <li>OVER: a session has taken over, or the connection is closed.
 * </ul>
 */
final class ClientLogin implements FrameSink {

    private static final long RETRY_MILLIS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(ClientLogin.class);

    private enum State {
        STARTUP,
        SECURING,
        AUTHENTICATING,
        LEARNING,
        OVER
    }

    private record Early(byte type, ByteBuf frame) {}

    private final Frontend frontend;
    private final ArrayDeque<Early> early = new ArrayDeque<>(0);
    private final Loop.Timer timeout;
    private @Nullable WireChannel wire;
    private State state = State.STARTUP;
    private String userName = "";
    private String databaseName = "";
    private Settings settings = Settings.NONE;
    private @Nullable ClientProof proof;
    private @Nullable User joined;
    private int joinedEpoch;
    private int encryptionRequests;
    private boolean tooMany;
    private int protocolVersion;

    private ClientLogin(Frontend frontend) {
        this.frontend = frontend;
        this.timeout = frontend.loop()
                .schedule(
                        frontend.configuration().general().clientLoginTimeout().toMillis(), this::timedOut);
    }

    static void begin(Frontend frontend, Function<FrameSink, WireChannel> channel) {
        ClientLogin login = new ClientLogin(frontend);
        WireChannel wire = channel.apply(login);
        login.wire = wire;
        int count = frontend.clientCount().incrementAndGet();
        int limit = frontend.admission().limit();
        login.tooMany = count > limit;
        if (count > limit + Admission.RESERVE) {
            login.refuse(ProtocolErrors.tooManyClients());
        }
    }

    private WireChannel wire() {
        return Objects.requireNonNull(wire);
    }

    private void timedOut() {
        if (wire().isHandshaking()) {
            // There is no way to tell it anything: the handshake has not ended.
            over();
            LOG.info("no end of the TLS handshake with a client at {}", wire().remoteAddress());
            wire().abort();
            return;
        }
        refuse(ProtocolErrors.loginTimeout());
    }

    // ---- frames

    @Override
    public void frame(byte type, ByteBuf buffer, int start, int end) {
        if (state == State.OVER) {
            return;
        }
        if (state == State.LEARNING || (proof != null && proof.isChecking())) {
            early.add(new Early(type, buffer.retainedSlice(start, end - start)));
            wire().reading(false);
            return;
        }
        byte[] frame = ByteBufUtil.getBytes(buffer, start, end - start);
        try {
            if (state == State.STARTUP) {
                startup(frame);
            } else {
                Objects.requireNonNull(proof).message(type, frame);
            }
        } catch (PgException fault) {
            refuse(fault.withSeverity(Severity.FATAL));
        }
    }

    private void startup(byte[] frame) {
        int body = Frame.LENGTH_BYTES;
        if (frame.length < body + 4) {
            throw ProtocolErrors.malformedMessage("StartupMessage", "It is too short.");
        }
        int code = Frame.int32(frame, body);
        if (isEncryptionRequest(code)) {
            encryption(code == SslRequest.CODE ? frontend.wire().tls().clients() : null);
        } else if (code == CancelRequest.CODE) {
            CancelRequest request = CancelRequest.decode(frame, body, frame.length - body);
            over();
            // As with PostgreSQL, the end of this connection tells the client that its next statement is safe.
            frontend.cancelKeys().cancel(request, () -> frontend.loop().run(wire()::close));
        } else if (code >> 16 != StartupMessage.MAJOR) {
            throw ProtocolErrors.unsupportedProtocol(code);
        } else {
            login(StartupMessage.decode(frame, body, frame.length - body));
        }
    }

    /** Under encryption these are no requests any more, but versions that do not exist. */
    private boolean isEncryptionRequest(int code) {
        return (code == SslRequest.CODE || code == GssEncRequest.CODE) && wire().encryption() == null;
    }

    /** Each kind of encryption may be asked for once, in any order, before the StartupMessage. */
    private void encryption(@Nullable ClientTls tls) {
        if (++encryptionRequests > 2) {
            throw ProtocolErrors.malformedMessage("SSLRequest", "Encryption was declined already.");
        }
        if (wire().hasUnread()) {
            // Sent before our answer, in clear: whoever put it there wants it to be taken for the client's own words.
            throw FrontendErrors.unencryptedData();
        }
        if (tls == null) {
            wire().write(new byte[] {'N'});
        } else {
            state = State.SECURING;
            wire().acceptTls(tls);
        }
    }

    @Override
    public void secured() {
        if (state == State.OVER) {
            return;
        }
        state = State.STARTUP;
        Encryption encryption = Objects.requireNonNull(wire().encryption());
        if (encryption.isDirect() && !Encryption.POSTGRESQL.equals(encryption.protocol())) {
            refuse(FrontendErrors.directWithoutProtocol());
        }
    }

    private void login(StartupMessage startup) {
        negotiate(startup);
        protocolVersion = startup.version();
        if (frontend.admission().isStopping()) {
            throw ProtocolErrors.stopping();
        }
        String user = startup.user();
        if (user == null || user.isEmpty()) {
            throw ProtocolErrors.noUserName();
        }
        userName = user;
        databaseName = Objects.requireNonNullElse(startup.database(), user);
        refuseReplication(startup.parameters().getOrDefault("replication", "false"));
        settings = StartupSettings.of(startup);
        Accounts accounts = frontend.accounts().get();
        if (tooMany && !accounts.isAdmin(databaseName)) {
            throw ProtocolErrors.tooManyClients();
        }
        ClientCertificates.check(accounts.general(), wire().encryption(), userName);
        wire().framing(Framing.CLIENT_LOGIN);
        if (accounts.asksNothing() && !accounts.isAdmin(databaseName)) {
            accepted(accounts.user(databaseName, userName), null);
            return;
        }
        state = State.AUTHENTICATING;
        ClientProof begun =
                new ClientProof(frontend, accounts, databaseName, userName, wire().encryption(), new Proof(accounts));
        proof = begun;
        begun.begin();
    }

    /** Hears what the proof comes to. */
    private final class Proof implements ClientProof.Outcome {

        private final Accounts accounts;

        Proof(Accounts accounts) {
            this.accounts = accounts;
        }

        @Override
        public void send(BackendMessage message) {
            ClientLogin.this.send(message);
        }

        @Override
        public void accepted(@Nullable ProvenSecret secret) {
            if (accounts.isAdmin(databaseName)) {
                openAdmin();
                return;
            }
            User configured = accounts.user(databaseName, userName);
            ClientLogin.this.accepted(
                    configured == null ? accounts.onDemand(databaseName, userName) : configured, secret);
        }

        @Override
        public void refused(PgException fault) {
            refuse(fault);
        }
    }

    private void negotiate(StartupMessage startup) {
        List<String> unknown = startup.parameters().keySet().stream()
                .filter(StartupMessage::isProtocolOption)
                .toList();
        if (startup.version() > StartupMessage.VERSION_3_2 || !unknown.isEmpty()) {
            int version = Math.min(startup.version(), StartupMessage.VERSION_3_2);
            send(new NegotiateProtocolVersion(version, unknown));
        }
    }

    private static void refuseReplication(String value) {
        switch (value) {
            case "false", "off", "no", "0", "" -> {}
            default -> throw FrontendErrors.replication();
        }
    }

    // ---- after authentication

    /**
     * @param secret what opens connections to servers in the client's name, if its proof gave it away
     */
    private void accepted(@Nullable User user, @Nullable ProvenSecret secret) {
        if (user == null || !frontend.databases().containsKey(databaseName)) {
            refuse(ProtocolErrors.loginFailed(userName, databaseName));
            return;
        }
        state = State.LEARNING;
        send(new AuthenticationOk());
        learn(user, secret);
    }

    /** Finds out what the server reports; once more when the database has come to be served in another way meanwhile. */
    private void learn(User user, @Nullable ProvenSecret secret) {
        DatabaseState database = frontend.databases().get(databaseName);
        if (database == null) {
            refuse(ProtocolErrors.loginFailed(userName, databaseName));
            return;
        }
        Pools.Joined join = frontend.pools().join(user, database.epoch());
        if (join == Pools.Joined.TOO_MANY) {
            refuse(FrontendErrors.tooManyUsers());
            return;
        }
        LoopPool[] pools = join == Pools.Joined.YES ? pools(user, database) : null;
        if (join == Pools.Joined.YES) {
            joined = user;
            joinedEpoch = database.epoch();
        }
        if (pools == null) {
            again(user, secret);
            return;
        }
        if (secret != null && user.serverPassword().isEmpty()) {
            frontend.pools().learn(user, secret);
        }
        new StartupLearning(frontend.loop(), database, user, settings)
                .learn(
                        pools[0],
                        frontend.configuration().general().connectTimeout().toMillis(),
                        reported -> {
                            if (state != State.LEARNING) {
                                return;
                            }
                            if (isServedBy(database)) {
                                begin(user, database, pools, reported);
                            } else {
                                again(user, secret);
                            }
                        },
                        fault -> {
                            if (isServedBy(database)) {
                                refuse(fault);
                            } else {
                                again(user, secret);
                            }
                        });
    }

    private boolean isServedBy(DatabaseState database) {
        return frontend.databases().get(databaseName) == database;
    }

    private LoopPool @Nullable [] pools(User user, DatabaseState database) {
        return frontend.pools().ofUser(database.name(), database.epoch(), user.name(), database.shardCount());
    }

    /** A reload is about to put another database in the place of the one that was found. */
    private void again(User user, @Nullable ProvenSecret secret) {
        leave();
        frontend.loop().later(RETRY_MILLIS, () -> {
            if (state == State.LEARNING) {
                learn(user, secret);
            }
        });
    }

    private void begin(User user, DatabaseState database, LoopPool[] pools, Map<String, String> reported) {
        if (frontend.admission().isStopping()) {
            refuse(ProtocolErrors.stopping());
            return;
        }
        over();
        WireChannel client = wire();
        Session[] session = new Session[1];
        BackendKeyData key = frontend.cancelKeys()
                .issue(protocolVersion, taken -> frontend.loop().run(() -> session[0].cancel(taken)));
        SessionPlace place = new SessionPlace(
                frontend.loop(),
                frontend.wire(),
                database,
                user.name(),
                user.serverUser(),
                pools,
                user.poolerMode() == PoolerMode.SESSION,
                frontend.configuration().general().preparedStatementsLimit(),
                frontend.configuration().general().rollbackTimeout().toMillis(),
                frontend.buffers(),
                frontend.names(),
                frontend.cancels(),
                frontend.routes().computeIfAbsent(databaseName, name -> new RouteCounters()),
                slowNanos(frontend.configuration().general().slowQueryThreshold()),
                () -> ended(key.processId(), session[0]));
        greet(client, reported, key);
        client.framing(Framing.client(frontend.configuration().general().maxMessageSize()));
        session[0] = new Session(place, client, new SessionStart(settings, reported, key.processId()));
        frontend.sessions().add(session[0]);
        client.sink(session[0]);
        client.reading(true);
        passOnEarly(session[0]);
    }

    /** The administrator is no client: it is not counted, and a drain does not wait for it. */
    private void openAdmin() {
        over();
        frontend.clientCount().decrementAndGet();
        send(new AuthenticationOk());
        WireChannel client = wire();
        // Nothing that could be cancelled ever runs.
        greet(client, frontend.admin().reported(), new BackendKeyData(0, ByteSlice.of(new byte[4])));
        client.framing(Framing.client(frontend.configuration().general().maxMessageSize()));
        FrameSink session = frontend.admin().open(frontend.loop(), client);
        client.sink(session);
        client.reading(true);
        passOnEarly(session);
    }

    private void passOnEarly(FrameSink session) {
        for (Early message = early.poll(); message != null; message = early.poll()) {
            session.frame(message.type, message.frame, 0, message.frame.readableBytes());
            message.frame.release();
        }
    }

    private static long slowNanos(Duration threshold) {
        return threshold.isZero() ? Long.MAX_VALUE : threshold.toNanos();
    }

    private static void greet(WireChannel client, Map<String, String> reported, BackendKeyData key) {
        FrameWriter out = new FrameWriter();
        new TreeMap<>(reported).forEach((name, value) -> new ParameterStatus(name, value).encode(out));
        key.encode(out);
        new dev.trunkline.protocol.backend.ReadyForQuery(dev.trunkline.protocol.TransactionStatus.IDLE).encode(out);
        client.write(out.toByteArray());
    }

    private void ended(int processId, Session session) {
        leave();
        frontend.sessions().remove(session);
        frontend.cancelKeys().withdraw(processId);
        frontend.clientCount().decrementAndGet();
    }

    // ---- ends

    private void send(BackendMessage message) {
        FrameWriter out = new FrameWriter();
        message.encode(out);
        wire().write(out.toByteArray());
    }

    private void leave() {
        if (joined != null) {
            frontend.pools().leave(joined, joinedEpoch);
            joined = null;
        }
    }

    private void over() {
        state = State.OVER;
        if (proof != null) {
            proof.end();
            proof = null;
        }
        timeout.cancel();
    }

    private void refuse(PgException fault) {
        if (state == State.OVER) {
            return;
        }
        over();
        LOG.info("login of a client at {} refused: {}", wire().remoteAddress(), fault.text());
        send(ErrorResponse.of(fault.withSeverity(Severity.FATAL)));
        wire().close();
    }

    private void release() {
        leave();
        for (Early message = early.poll(); message != null; message = early.poll()) {
            message.frame.release();
        }
        frontend.clientCount().decrementAndGet();
    }

    @Override
    public void closed(@Nullable Throwable cause) {
        if (state == State.SECURING || (state == State.STARTUP && cause != null)) {
            LOG.info("a client at {} is gone before its login: {}", wire().remoteAddress(), String.valueOf(cause));
        }
        over();
        release();
    }

    @Override
    public void violation(PgException fault) {
        refuse(fault.withSeverity(Severity.FATAL));
    }

    @Override
    public void part(byte type, ByteBuf buffer, int start, int end, boolean first, boolean last) {
        refuse(ProtocolErrors.unexpectedMessage(type));
    }

    @Override
    public void bufferEnd(ByteBuf buffer) {}

    @Override
    public void writabilityChanged(boolean writable) {}
}
