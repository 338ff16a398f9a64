package dev.trunkline.proxy.auth;

import dev.trunkline.protocol.backend.Authentication;
import dev.trunkline.protocol.backend.AuthenticationCleartextPassword;
import dev.trunkline.protocol.backend.AuthenticationMD5Password;
import dev.trunkline.protocol.backend.AuthenticationOk;
import dev.trunkline.protocol.backend.AuthenticationSASL;
import dev.trunkline.protocol.backend.AuthenticationSASLContinue;
import dev.trunkline.protocol.backend.AuthenticationSASLFinal;
import dev.trunkline.protocol.frontend.FrontendMessage;
import dev.trunkline.protocol.frontend.PasswordMessage;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * The proxy's login to a server, by whatever way the server demands: trust, password, md5, SCRAM-SHA-256. One per
 * connection, used by one thread at a time.
 *
 * <pre>
 * START      nothing was asked yet                          -> ANSWERED, SASL, DONE
 * ANSWERED   a password was sent                            -> DONE
 * SASL       a SCRAM exchange is under way                  -> DONE, once the server has proven itself
 * DONE       AuthenticationOk has come
 * </pre>
 */
public final class ServerLogin {

    private enum State {
        START,
        ANSWERED,
        SASL,
        DONE
    }

    private final ServerAccount account;
    private final ServerSecret secret;
    private final byte @Nullable [] endpoint;
    private final SecureRandom random;
    private @Nullable ScramClientExchange exchange;
    private State state = State.START;
    private boolean isAsked;

    /**
     * A login that has not begun.
     *
     * @param endpoint the {@code tls-server-end-point} binding of the server's certificate (RFC 5929); null without
     *     TLS or where the certificate yields none
     */
    public ServerLogin(ServerAccount account, byte @Nullable [] endpoint, SecureRandom random) {
        this.account = account;
        this.secret = account.secret();
        this.endpoint = endpoint;
        this.random = random;
    }

    /**
     * Whether {@link #respond} to the message takes milliseconds of processor time and so belongs on a worker thread:
     * the first SCRAM login of an account to a server. False for every later one.
     */
    public boolean isCostly(Authentication message) {
        return message instanceof AuthenticationSASLContinue challenge
                && exchange != null
                && exchange.isCostly(challenge.data());
    }

    /**
     * The answer to the server's message; null if there is nothing to send.
     *
     * @throws dev.trunkline.protocol.error.PgException 08001 if the proxy cannot or must not log in: no password, no
     *     common mechanism, a server that does not prove itself, a message out of order
     */
    public @Nullable FrontendMessage respond(Authentication message) {
        if (message instanceof AuthenticationOk) {
            return finish();
        }
        if (message instanceof AuthenticationCleartextPassword) {
            return password(secret.clear());
        }
        if (message instanceof AuthenticationMD5Password md5) {
            return password(Md5Password.answer(secret.md5Hash(), md5.salt()));
        }
        if (message instanceof AuthenticationSASL offer) {
            return startSasl(offer);
        }
        if (message instanceof AuthenticationSASLContinue challenge) {
            return exchange().respond(challenge.data());
        }
        if (message instanceof AuthenticationSASLFinal last) {
            exchange().verify(last.data());
            return null;
        }
        throw new IllegalStateException("no answer to " + message);
    }

    /** Whether the server has accepted the login. */
    public boolean isDone() {
        return state == State.DONE;
    }

    /** Whether the server has asked for a proof at all; one that trusts has not. */
    public boolean isAsked() {
        return isAsked;
    }

    /** The server has refused the login: whoever logs in next tries another secret, if the account has one. */
    public void refused() {
        account.refused(secret);
    }

    private @Nullable FrontendMessage finish() {
        // A server that leaves out its signature would otherwise never have to know the password.
        if (state == State.SASL && !exchange().isVerified()) {
            throw AuthErrors.serverNotProven(account.user());
        }
        require(state != State.DONE);
        state = State.DONE;
        return null;
    }

    private FrontendMessage password(String answer) {
        require(state == State.START);
        state = State.ANSWERED;
        isAsked = true;
        return new PasswordMessage(answer);
    }

    private FrontendMessage startSasl(AuthenticationSASL offer) {
        require(state == State.START);
        state = State.SASL;
        // Asked for early: without a password there is no point in a conversation.
        secret.requireForScram();
        isAsked = true;
        exchange = ScramClientExchange.of(account.user(), secret, offer.mechanisms(), endpoint, random);
        return exchange.start();
    }

    private ScramClientExchange exchange() {
        if (exchange == null || state != State.SASL) {
            throw outOfOrder();
        }
        return exchange;
    }

    private void require(boolean isInOrder) {
        if (!isInOrder) {
            throw outOfOrder();
        }
    }

    private RuntimeException outOfOrder() {
        return AuthErrors.malformedByServer(account.user(), "a message is out of order");
    }
}
