package dev.trunkline.proxy.auth;

import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ScramMechanism;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.frontend.SASLInitialResponse;
import dev.trunkline.protocol.frontend.SASLResponse;
import dev.trunkline.proxy.auth.ScramMessage.SyntaxException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The proxy's login to a server by SCRAM-SHA-256 or SCRAM-SHA-256-PLUS. One per login, used by one thread at a time.
 *
 * <pre>
 * start()      client-first-message, the mechanism chosen
 * respond()    to server-first-message: client-final-message
 * verify()     of server-final-message: the server knows the password too
 * </pre>
 */
final class ScramClientExchange {

    private static final String PLAIN_MECHANISM = "SCRAM-SHA-256";
    private static final String PLUS_MECHANISM = "SCRAM-SHA-256-PLUS";
    private static final ScramMechanism HASH = ScramMechanism.SCRAM_SHA_256;

    /** As many random bytes as libpq takes. */
    private static final int NONCE_BYTES = 18;

    /**
     * More than anybody configures (PostgreSQL's default is 4096), and less than half a second or so: a hostile server
     * must not keep a thread busy for hours.
     */
    private static final int MAX_ITERATIONS = 1_000_000;

    private final String user;
    private final ServerSecret secret;
    private final String mechanism;
    private final String gs2Header;
    private final byte[] channelBinding;
    private final String clientNonce;
    private byte[] expectedSignature = new byte[0];
    private boolean isVerified;

    private ScramClientExchange(
            String user,
            ServerSecret secret,
            String mechanism,
            String gs2Header,
            byte[] channelBinding,
            String clientNonce) {
        this.user = user;
        this.secret = secret;
        this.mechanism = mechanism;
        this.gs2Header = gs2Header;
        this.channelBinding = channelBinding;
        this.clientNonce = clientNonce;
    }

    /**
     * The exchange with the strongest mechanism that fits.
     *
     * @param offered by the server
     * @param endpoint the {@code tls-server-end-point} binding of the server's certificate; null without TLS, where
     *     SCRAM-SHA-256-PLUS is never chosen
     * @throws dev.trunkline.protocol.error.PgException 08001 if no mechanism fits
     */
    static ScramClientExchange of(
            String user, ServerSecret secret, List<String> offered, byte @Nullable [] endpoint, SecureRandom random) {
        return of(user, secret, offered, endpoint, ScramFunctions.nonce(NONCE_BYTES, random));
    }

    static ScramClientExchange of(
            String user, ServerSecret secret, List<String> offered, byte @Nullable [] endpoint, String clientNonce) {
        if (endpoint != null && offered.contains(PLUS_MECHANISM)) {
            String header = "p=tls-server-end-point,,";
            return new ScramClientExchange(user, secret, PLUS_MECHANISM, header, endpoint, clientNonce);
        }
        if (!offered.contains(PLAIN_MECHANISM)) {
            throw AuthErrors.noMechanism(user, String.join(", ", offered));
        }
        // y: we could bind and believe that the server cannot; it refuses if somebody removed PLUS from its offer.
        String header = endpoint == null ? "n,," : "y,,";
        return new ScramClientExchange(user, secret, PLAIN_MECHANISM, header, new byte[0], clientNonce);
    }

    /** The mechanism chosen, with client-first-message. The name stays empty: that of the startup packet counts. */
    SASLInitialResponse start() {
        return new SASLInitialResponse(mechanism, ScramMessage.slice(gs2Header + clientFirstBare()));
    }

    /** Whether {@link #respond} to the same data has keys to derive, which does not belong on an event loop. */
    boolean isCostly(ByteSlice data) {
        try {
            ServerFirst first = ServerFirst.read(data, clientNonce);
            return !secret.hasKeys(first.salt, first.iterations);
        } catch (SyntaxException e) {
            return false;
        }
    }

    /**
     * The answer to server-first-message.
     *
     * @throws dev.trunkline.protocol.error.PgException 08001 if it is malformed or the account has no password
     */
    SASLResponse respond(ByteSlice data) {
        if (expectedSignature.length != 0) {
            throw AuthErrors.malformedByServer(user, "it challenges twice");
        }
        ServerFirst first = readFirst(data);
        ScramKeys keys = secret.keys(first.salt, first.iterations);
        String withoutProof = "c=" + ScramMessage.base64(bindingInput()) + ",r=" + first.nonce;
        byte[] authMessage = ScramMessage.bytes(clientFirstBare() + "," + ScramMessage.text(data) + "," + withoutProof);
        byte[] storedKey = ScramFunctions.hash(HASH, keys.clientKey());
        byte[] signature = ScramFunctions.hmac(HASH, storedKey, authMessage);
        byte[] proof = ScramFunctions.clientProof(keys.clientKey(), signature);
        expectedSignature = ScramFunctions.hmac(HASH, keys.serverKey(), authMessage);
        return new SASLResponse(ScramMessage.slice(withoutProof + ",p=" + ScramMessage.base64(proof)));
    }

    /**
     * Checks server-final-message.
     *
     * @throws dev.trunkline.protocol.error.PgException 08001 if the server's signature is missing, wrong or premature
     */
    void verify(ByteSlice data) {
        if (expectedSignature.length == 0 || !MessageDigest.isEqual(signature(data), expectedSignature)) {
            throw AuthErrors.serverNotProven(user);
        }
        isVerified = true;
    }

    /** Whether the server has proven that it knows the password. */
    boolean isVerified() {
        return isVerified;
    }

    private String clientFirstBare() {
        return "n=,r=" + clientNonce;
    }

    private byte[] bindingInput() {
        byte[] header = ScramMessage.bytes(gs2Header);
        byte[] input = Arrays.copyOf(header, header.length + channelBinding.length);
        System.arraycopy(channelBinding, 0, input, header.length, channelBinding.length);
        return input;
    }

    private byte[] signature(ByteSlice data) {
        try {
            return ScramMessage.unbase64(new ScramMessage(data).required('v'));
        } catch (SyntaxException e) {
            throw AuthErrors.malformedByServer(user, e.reason());
        }
    }

    private ServerFirst readFirst(ByteSlice data) {
        try {
            return ServerFirst.read(data, clientNonce);
        } catch (SyntaxException e) {
            throw AuthErrors.malformedByServer(user, e.reason());
        }
    }

    /** server-first-message: {@code r=<nonce>,s=<salt>,i=<iterations>}. */
    private record ServerFirst(String nonce, byte[] salt, int iterations) {

        static ServerFirst read(ByteSlice data, String clientNonce) throws SyntaxException {
            ScramMessage message = new ScramMessage(data);
            String nonce = ScramMessage.nonce(message.required('r'));
            if (!nonce.startsWith(clientNonce) || nonce.length() == clientNonce.length()) {
                throw new SyntaxException("the nonce does not continue ours");
            }
            byte[] salt = ScramMessage.unbase64(message.required('s'));
            if (salt.length == 0) {
                throw new SyntaxException("the salt is empty");
            }
            return new ServerFirst(nonce, salt, iterations(message.required('i')));
        }

        private static int iterations(String value) throws SyntaxException {
            if (!value.matches("[1-9][0-9]{0,6}") || Integer.parseInt(value) > MAX_ITERATIONS) {
                throw new SyntaxException("the number of iterations is not from 1 to " + MAX_ITERATIONS);
            }
            return Integer.parseInt(value);
        }
    }
}
