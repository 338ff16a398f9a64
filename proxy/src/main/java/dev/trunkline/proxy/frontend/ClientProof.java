package dev.trunkline.proxy.frontend;

import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.backend.Authentication;
import dev.trunkline.protocol.backend.AuthenticationCleartextPassword;
import dev.trunkline.protocol.backend.BackendMessage;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.protocol.frontend.PasswordMessage;
import dev.trunkline.proxy.auth.ClientExchange;
import dev.trunkline.proxy.auth.ProvenSecret;
import dev.trunkline.proxy.net.Encryption;
import io.vertx.core.Future;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's proof of who it is, from its StartupMessage to the decision. On the client's loop. States:
 *
 * <ul>
 *   <li>ASKING: the server is asked for the user's password entry; the client has nothing to say.
 *   <li>ANSWERING: the client answers what {@link ClientExchange} asks.
 *   <li>PASSING: the client is to name a password, which a server will judge.
 *   <li>CHECKING: a worker thread or a server judges an answer.
 *   <li>DECIDED.
 * </ul>
 */
final class ClientProof {

    private static final Logger LOG = LoggerFactory.getLogger(ClientProof.class);

    private enum State {
        ASKING,
        ANSWERING,
        PASSING,
        CHECKING,
        DECIDED
    }

    /** Hears the conversation: messages for the client, and once how it ends. */
    interface Outcome {

        void send(BackendMessage message);

        /** The client is who it says; {@code secret} is what opens connections to servers in its name, if anything. */
        void accepted(@Nullable ProvenSecret secret);

        void refused(PgException fault);
    }

    private final Frontend frontend;
    private final Accounts accounts;
    private final String database;
    private final String user;
    private final @Nullable Encryption encryption;
    private final Outcome outcome;
    private State state = State.ASKING;
    private @Nullable ClientExchange exchange;

    ClientProof(
            Frontend frontend,
            Accounts accounts,
            String database,
            String user,
            @Nullable Encryption encryption,
            Outcome outcome) {
        this.frontend = frontend;
        this.accounts = accounts;
        this.database = database;
        this.user = user;
        this.encryption = encryption;
        this.outcome = outcome;
    }

    /** Asks the client, at once or when it is known what for. */
    void begin() {
        if (accounts.isQueried(database, user)) {
            await(frontend.entries().entry(database, user), this::ask);
        } else {
            ask(null);
        }
    }

    /** The login is over for another reason: what is under way has no effect. */
    void end() {
        state = State.DECIDED;
    }

    /** True while an answer is being judged: what follows it has to wait. */
    boolean isChecking() {
        return state == State.CHECKING;
    }

    /** The client's next message; throws PgException FATAL for one that does not belong here. */
    void message(byte type, byte[] frame) {
        if (type != 'p' || state == State.ASKING) {
            throw ProtocolErrors.unexpectedMessage(type);
        }
        if (state == State.PASSING) {
            pass(PasswordMessage.decode(frame, Frame.HEADER_BYTES, frame.length - Frame.HEADER_BYTES)
                    .password());
            return;
        }
        ClientExchange running = Objects.requireNonNull(exchange);
        if (running.isCostly()) {
            state = State.CHECKING;
            Future<@Nullable Authentication> judged =
                    frontend.loop().context().executeBlocking(() -> respond(running, frame));
            await(judged, answer -> answer(running, answer));
        } else {
            answer(running, respond(running, frame));
        }
    }

    private static @Nullable Authentication respond(ClientExchange running, byte[] frame) {
        return running.respond(frame, Frame.HEADER_BYTES, frame.length - Frame.HEADER_BYTES);
    }

    private void ask(@Nullable String entry) {
        if (entry == null && accounts.isPassedThrough(database, user, encryption)) {
            state = State.PASSING;
            outcome.send(new AuthenticationCleartextPassword());
            return;
        }
        state = State.ANSWERING;
        ClientExchange begun = accounts.exchange(database, user, entry, encryption, frontend.random());
        exchange = begun;
        outcome.send(begun.offer());
    }

    private void answer(ClientExchange running, @Nullable Authentication answer) {
        state = State.ANSWERING;
        if (answer != null) {
            outcome.send(answer);
        }
        if (running.isProven()) {
            accept(running.proven());
        }
    }

    private void pass(String password) {
        state = State.CHECKING;
        await(frontend.passThrough().isRight(frontend.loop(), frontend.wire(), database, user, password), isRight -> {
            if (isRight) {
                accept(ProvenSecret.of(password));
            } else {
                refuse(ProtocolErrors.loginFailed(user, database));
            }
        });
    }

    private void accept(@Nullable ProvenSecret secret) {
        state = State.DECIDED;
        outcome.accepted(secret);
    }

    private void refuse(PgException fault) {
        state = State.DECIDED;
        outcome.refused(fault);
    }

    /** Goes on, on the loop, when the future has ended, unless the login has ended before. */
    private <T> void await(Future<T> future, Consumer<T> next) {
        var unused = future.onComplete(result -> frontend.loop().run(() -> {
            if (state == State.DECIDED) {
                return;
            }
            try {
                if (result.succeeded()) {
                    next.accept(result.result());
                } else {
                    refuse(known(result.cause()));
                }
            } catch (PgException fault) {
                refuse(fault);
            }
        }));
    }

    private PgException known(Throwable cause) {
        if (cause instanceof PgException fault) {
            return fault;
        }
        if (state == State.ASKING) {
            LOG.warn("auth_query of database {} cannot be asked: {}", database, cause.getMessage());
            return FrontendErrors.nobodyToAsk();
        }
        String id = UUID.randomUUID().toString();
        LOG.error("internal error {}", id, cause);
        return ProtocolErrors.internal(id);
    }
}
