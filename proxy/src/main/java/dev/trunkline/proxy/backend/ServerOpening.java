package dev.trunkline.proxy.backend;

import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.backend.Authentication;
import dev.trunkline.protocol.backend.ErrorResponse;
import dev.trunkline.protocol.backend.ParameterStatus;
import dev.trunkline.protocol.backend.ResponseFields;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;
import dev.trunkline.protocol.frontend.FrontendMessage;
import dev.trunkline.protocol.frontend.StartupMessage;
import dev.trunkline.proxy.auth.EndpointBinding;
import dev.trunkline.proxy.auth.ServerLogin;
import dev.trunkline.proxy.net.Encryption;
import dev.trunkline.proxy.net.FrameSink;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.Wire;
import dev.trunkline.proxy.net.WireChannel;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The start-up conversation with a server: StartupMessage, authentication, ParameterStatus, BackendKeyData, the first
 * ReadyForQuery. Ends once, in a Future, within the time-out.
 *
 * @see <a href="https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-START-UP">Start-up</a>
 */
public final class ServerOpening implements FrameSink {

    private static final SecureRandom RANDOM = new SecureRandom();

    private final ServerAddress address;
    private final ReplyHandler handler;
    private final Promise<ServerConnection> promise = Promise.promise();
    private final TreeMap<String, String> parameters = new TreeMap<>();
    private final Loop loop;
    private @Nullable ServerLogin authentication;
    private final Loop.Timer timeout;
    private @Nullable WireChannel wire;
    private int processId;
    private byte[] secretKey = {};
    private boolean ended;
    private boolean isSecretRefused;
    private boolean isUserRefused;

    private ServerOpening(Loop loop, ServerAddress address, Duration timeout, ReplyHandler handler) {
        this.address = address;
        this.handler = handler;
        this.loop = loop;
        this.timeout = loop.schedule(
                timeout.toMillis(),
                () -> fail(BackendErrors.unreachable(address, new IllegalStateException("no answer in time"))));
    }

    /**
     * Connects and logs in; called on the loop, and completes on it. Fails with 08001 when the server cannot be reached,
     * refuses the login or does not answer in time. A server that refuses the password of an account with several is
     * tried with the others.
     *
     * @param handler hears the connection from the first moment on
     */
    public static Future<ServerConnection> open(
            Wire wire, Loop loop, ServerAddress address, Duration timeout, ReplyHandler handler) {
        return open(wire, loop, address, timeout, handler, address.account().secretCount() - 1);
    }

    private static Future<ServerConnection> open(
            Wire wire, Loop loop, ServerAddress address, Duration timeout, ReplyHandler handler, int moreSecrets) {
        ServerOpening login = begin(wire, loop, address, timeout, handler);
        Future<ServerConnection> opened = login.promise.future();
        if (moreSecrets == 0) {
            return opened;
        }
        return opened.recover(fault -> login.isSecretRefused
                ? open(wire, loop, address, timeout, handler, moreSecrets - 1)
                : Future.failedFuture(fault));
    }

    /**
     * Whether the server takes the secret of the account for that of its user; the connection is closed again. A server
     * that lets the user in without asking for it says nothing of the secret: false. Fails with 08001 when the server
     * cannot be asked.
     */
    public static Future<Boolean> isAccepted(Wire wire, Loop loop, ServerAddress address, Duration timeout) {
        ServerOpening login = begin(wire, loop, address, timeout, Unattended.INSTANCE);
        return login.promise.future().transform(opened -> {
            if (opened.succeeded()) {
                opened.result().close();
                return Future.succeededFuture(login.authentication != null && login.authentication.isAsked());
            }
            return login.isUserRefused ? Future.succeededFuture(false) : Future.failedFuture(opened.cause());
        });
    }

    private static ServerOpening begin(
            Wire wire, Loop loop, ServerAddress address, Duration timeout, ReplyHandler handler) {
        ServerOpening login = new ServerOpening(loop, address, timeout, handler);
        var unused = wire.connect(address.host(), address.port(), login).onComplete(result -> {
            if (result.succeeded()) {
                login.connected(result.result());
            } else {
                login.fail(BackendErrors.unreachable(address, result.cause()));
            }
        });
        return login;
    }

    private void connected(WireChannel channel) {
        wire = channel;
        if (ended) {
            channel.abort();
            return;
        }
        Encryption encryption = channel.encryption();
        byte[] endpoint = encryption == null ? null : EndpointBinding.of(encryption.peer());
        authentication = new ServerLogin(address.account(), endpoint, RANDOM);
        Map<String, String> startup = new LinkedHashMap<>();
        startup.put("user", address.user());
        startup.put("database", address.database());
        startup.put("client_encoding", "UTF8");
        FrameWriter out = new FrameWriter();
        new StartupMessage(StartupMessage.VERSION_3_0, startup).encode(out);
        channel.write(out.toByteArray());
    }

    @Override
    public void frame(byte type, ByteBuf buffer, int start, int end) {
        if (ended) {
            return;
        }
        byte[] frame = ByteBufUtil.getBytes(buffer, start, end - start);
        int body = Frame.HEADER_BYTES;
        try {
            switch (type) {
                case 'R' -> authenticate(frame);
                case 'S' -> {
                    ParameterStatus status = ParameterStatus.decode(frame, body, frame.length - body);
                    parameters.put(status.name(), status.value());
                }
                case 'K' -> {
                    processId = Frame.int32(frame, body);
                    secretKey = Arrays.copyOfRange(frame, body + 4, frame.length);
                }
                case 'Z' -> succeed();
                case 'E' ->
                    refused(ErrorResponse.decode(frame, body, frame.length - body)
                            .fields());
                case 'N', 'v' -> {}
                default -> fail(BackendErrors.unexpectedMessage(address));
            }
        } catch (PgException fault) {
            fail(fault);
        }
    }

    private void authenticate(byte[] frame) {
        Authentication asked = Authentication.decode(frame, Frame.HEADER_BYTES, frame.length - Frame.HEADER_BYTES);
        ServerLogin login = Objects.requireNonNull(authentication);
        if (!login.isCostly(asked)) {
            answer(login.respond(asked));
            return;
        }
        // Milliseconds of key derivation, once per account and server: not on an event loop.
        Future<@Nullable FrontendMessage> derived = loop.context().executeBlocking(() -> login.respond(asked));
        var unused = derived.onComplete(result -> loop.run(() -> {
            if (result.succeeded()) {
                answer(result.result());
            } else {
                fail(
                        result.cause() instanceof PgException known
                                ? known
                                : BackendErrors.unreachable(address, result.cause()));
            }
        }));
    }

    private void answer(@Nullable FrontendMessage message) {
        if (message != null && !ended) {
            FrameWriter out = new FrameWriter();
            message.encode(out);
            Objects.requireNonNull(wire).write(out.toByteArray());
        }
    }

    private void succeed() {
        if (authentication == null || !authentication.isDone()) {
            fail(BackendErrors.unexpectedMessage(address));
            return;
        }
        ended = true;
        timeout.cancel();
        WireChannel channel = Objects.requireNonNull(wire);
        ServerConnection server = new ServerConnection(address, channel, processId, secretKey, parameters, handler);
        channel.sink(server);
        promise.complete(server);
    }

    private void refused(ResponseFields fields) {
        boolean isAuthorization = fields.sqlState().equals(SqlState.INVALID_PASSWORD.code())
                || fields.sqlState().equals(SqlState.INVALID_AUTHORIZATION_SPECIFICATION.code());
        isUserRefused = isAuthorization;
        if (authentication != null && authentication.isAsked() && isAuthorization) {
            isSecretRefused = true;
            authentication.refused();
        }
        fail(BackendErrors.loginRefused(address, fields.sqlState(), fields.message()));
    }

    private void fail(PgException fault) {
        if (!ended) {
            ended = true;
            timeout.cancel();
            if (wire != null) {
                wire.abort();
            }
            promise.fail(fault);
        }
    }

    @Override
    public void part(byte type, ByteBuf buffer, int start, int end, boolean first, boolean last) {
        fail(BackendErrors.unexpectedMessage(address));
    }

    @Override
    public void bufferEnd(ByteBuf buffer) {}

    @Override
    public void writabilityChanged(boolean writable) {}

    @Override
    public void violation(PgException fault) {
        fail(fault);
    }

    @Override
    public void closed(@Nullable Throwable cause) {
        fail(BackendErrors.unreachable(
                address, cause == null ? new IllegalStateException("the server closed the connection") : cause));
    }
}
