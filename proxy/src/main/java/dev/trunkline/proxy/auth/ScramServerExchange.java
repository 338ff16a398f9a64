package dev.trunkline.proxy.auth;

import com.ongres.scram.common.ScramFunctions;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.backend.Authentication;
import dev.trunkline.protocol.backend.AuthenticationSASL;
import dev.trunkline.protocol.backend.AuthenticationSASLContinue;
import dev.trunkline.protocol.backend.AuthenticationSASLFinal;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.protocol.frontend.SASLInitialResponse;
import dev.trunkline.protocol.frontend.SASLResponse;
import dev.trunkline.proxy.auth.ScramMessage.SyntaxException;
import java.security.SecureRandom;
import java.util.List;

/**
 * A client's login by SCRAM-SHA-256, seen from the proxy. One per login, on the session's event loop; no step takes
 * longer than microseconds.
 *
 * <pre>
 * CHOICE    offer() was sent; the client chooses the mechanism      -> FIRST, FINAL
 * FIRST     it chose without data; client-first-message is due      -> FINAL
 * FINAL     salt and nonce were sent; client-final-message is due   -> PROVEN
 * PROVEN    the client is who it says
 * </pre>
 *
 * <p>Every exception ends the login; the exchange is of no use after it.
 */
public final class ScramServerExchange {

    private static final String MECHANISM = "SCRAM-SHA-256";

    /** As many random bytes as PostgreSQL takes for its own nonce. */
    private static final int NONCE_BYTES = 18;

    private static final int PROOF_BYTES = 32;

    private enum State {
        CHOICE,
        FIRST,
        FINAL,
        PROVEN
    }

    private final String user;
    private final String database;
    private final Credentials credentials;
    private final String serverNonce;
    private State state = State.CHOICE;
    private String gs2Header = "";
    private String clientFirstBare = "";
    private String serverFirst = "";
    private String nonce = "";

    /**
     * A login with a fresh nonce.
     *
     * @param credentials of the user, or {@link Credentials#mock} if user or database do not exist
     */
    public ScramServerExchange(String user, String database, Credentials credentials, SecureRandom random) {
        this(user, database, credentials, freshNonce(random));
    }

    ScramServerExchange(String user, String database, Credentials credentials, String serverNonce) {
        this.user = user;
        this.database = database;
        this.credentials = credentials;
        this.serverNonce = serverNonce;
    }

    /** The message that starts the login. */
    public AuthenticationSASL offer() {
        return new AuthenticationSASL(List.of(MECHANISM));
    }

    /**
     * The answer to the client's next message of type {@code 'p'}, whose body is given. After AuthenticationSASLFinal,
     * {@link #isProven()} holds and AuthenticationOk is to follow.
     *
     * @throws dev.trunkline.protocol.error.PgException 28P01 FATAL if the proof is wrong or the credentials are a mock,
     *     08P01 FATAL if the message is malformed
     */
    public Authentication respond(byte[] buffer, int offset, int length) {
        try {
            return switch (state) {
                case CHOICE -> choice(SASLInitialResponse.decode(buffer, offset, length));
                case FIRST -> first(SASLResponse.decode(buffer, offset, length).data());
                case FINAL -> last(SASLResponse.decode(buffer, offset, length).data());
                case PROVEN -> throw new IllegalStateException("the login is over");
            };
        } catch (SyntaxException e) {
            throw ProtocolErrors.malformedSasl(e.reason());
        }
    }

    /** Whether the client has proven who it is. */
    public boolean isProven() {
        return state == State.PROVEN;
    }

    private Authentication choice(SASLInitialResponse response) throws SyntaxException {
        if (!response.mechanism().equals(MECHANISM)) {
            throw new SyntaxException("the client chose a mechanism that was not offered");
        }
        ByteSlice data = response.data();
        if (data == null) {
            state = State.FIRST;
            return new AuthenticationSASLContinue(ByteSlice.EMPTY);
        }
        return first(data);
    }

    private Authentication first(ByteSlice data) throws SyntaxException {
        ScramMessage message = new ScramMessage(data);
        gs2Header = gs2Header(message);
        clientFirstBare = message.rest();
        if (message.optional('m') != null) {
            throw new SyntaxException("the client requires an extension that is not supported");
        }
        // The name is that of the startup packet; clients of PostgreSQL leave this one empty or send anything.
        String ignoredName = message.required('n');
        nonce = ScramMessage.nonce(message.required('r')) + serverNonce;
        PasswordVerifier question = credentials.question();
        serverFirst = "r=" + nonce + ",s=" + ScramMessage.base64(question.salt()) + ",i=" + question.iterations();
        state = State.FINAL;
        return new AuthenticationSASLContinue(ScramMessage.slice(serverFirst));
    }

    /** The header that the client repeats under its proof, so that nobody in between can change it. */
    private static String gs2Header(ScramMessage message) throws SyntaxException {
        String binding = message.next();
        String authorization = message.next();
        if (!authorization.isEmpty()) {
            throw new SyntaxException("an authorization identity is not supported");
        }
        // y: the client could bind to the TLS channel and believes that we cannot, which is so: PLUS was not offered.
        if (!binding.equals("n") && !binding.equals("y")) {
            throw new SyntaxException("channel binding does not belong to SCRAM-SHA-256");
        }
        return binding + ",,";
    }

    private Authentication last(ByteSlice data) throws SyntaxException {
        String text = ScramMessage.text(data);
        int proofOffset = text.lastIndexOf(",p=");
        if (proofOffset < 0) {
            throw new SyntaxException("the proof is missing");
        }
        checkFinal(new ScramMessage(data));
        byte[] proof = ScramMessage.unbase64(text.substring(proofOffset + 3));
        if (proof.length != PROOF_BYTES) {
            throw new SyntaxException("the proof has " + proof.length + " bytes");
        }
        String authMessage = clientFirstBare + "," + serverFirst + "," + text.substring(0, proofOffset);
        byte[] signature = credentials.answer(proof, ScramMessage.bytes(authMessage));
        if (signature.length == 0) {
            throw ProtocolErrors.loginFailed(user, database);
        }
        state = State.PROVEN;
        return new AuthenticationSASLFinal(ScramMessage.slice("v=" + ScramMessage.base64(signature)));
    }

    private void checkFinal(ScramMessage message) throws SyntaxException {
        if (!message.required('c').equals(ScramMessage.base64(ScramMessage.bytes(gs2Header)))) {
            throw new SyntaxException("the channel binding differs from that of the first message");
        }
        if (!message.required('r').equals(nonce)) {
            throw new SyntaxException("the nonce differs from that of the first message");
        }
    }

    private static String freshNonce(SecureRandom random) {
        return ScramFunctions.nonce(NONCE_BYTES, random);
    }
}
