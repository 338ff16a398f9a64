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
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A client's login by SCRAM-SHA-256 or SCRAM-SHA-256-PLUS, seen from the proxy. One per login, on the session's event loop; no step takes
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
public final class ScramServerExchange implements ClientExchange {

    private static final String PLAIN_MECHANISM = "SCRAM-SHA-256";
    private static final String PLUS_MECHANISM = "SCRAM-SHA-256-PLUS";
    private static final String BOUND = "p=tls-server-end-point";

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
    private final byte @Nullable [] endpoint;
    private final String serverNonce;
    private boolean isBound;
    private State state = State.CHOICE;
    private String gs2Header = "";
    private String clientFirstBare = "";
    private String serverFirst = "";
    private String nonce = "";
    private @Nullable ProvenSecret proven;

    /**
     * A login with a fresh nonce.
     *
     * @param credentials of the user, or {@link Credentials#mock} if user or database do not exist
     * @param endpoint the {@link EndpointBinding} of the certificate that this client was shown; null = it was shown
     *     none, or one without a binding: SCRAM-SHA-256-PLUS is not offered then
     */
    public ScramServerExchange(
            String user, String database, Credentials credentials, byte @Nullable [] endpoint, SecureRandom random) {
        this(user, database, credentials, endpoint, freshNonce(random));
    }

    ScramServerExchange(
            String user, String database, Credentials credentials, byte @Nullable [] endpoint, String serverNonce) {
        this.user = user;
        this.database = database;
        this.credentials = credentials;
        this.endpoint = endpoint;
        this.serverNonce = serverNonce;
    }

    @Override
    public AuthenticationSASL offer() {
        return new AuthenticationSASL(
                endpoint == null ? List.of(PLAIN_MECHANISM) : List.of(PLUS_MECHANISM, PLAIN_MECHANISM));
    }

    /**
     * The answer, as {@link ClientExchange#respond} has it.
     *
     * @throws dev.trunkline.protocol.error.PgException 28P01 FATAL if the proof is wrong or the credentials are a mock,
     *     08P01 FATAL if the message is malformed, 28000 FATAL if channel binding was tampered with, 0A000 FATAL for an
     *     authorization identity
     */
    @Override
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

    /** Nothing is derived from a password here: the client does that. */
    @Override
    public boolean isCostly() {
        return false;
    }

    @Override
    public boolean isProven() {
        return state == State.PROVEN;
    }

    @Override
    public @Nullable ProvenSecret proven() {
        return proven;
    }

    private Authentication choice(SASLInitialResponse response) throws SyntaxException {
        isBound = endpoint != null && response.mechanism().equals(PLUS_MECHANISM);
        if (!isBound && !response.mechanism().equals(PLAIN_MECHANISM)) {
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
    private String gs2Header(ScramMessage message) throws SyntaxException {
        String binding = message.next();
        String authorization = message.next();
        switch (binding) {
            case "n" -> requireUnbound();
            case "y" -> {
                requireUnbound();
                if (endpoint != null) {
                    // It believes that PLUS was not offered, which is not so: somebody has changed the offer.
                    throw AuthErrors.bindingDowngraded();
                }
            }
            case BOUND -> {
                if (!isBound) {
                    throw new SyntaxException("channel binding does not belong to SCRAM-SHA-256");
                }
            }
            default -> throw new SyntaxException("the type of channel binding is not supported");
        }
        if (!authorization.isEmpty()) {
            throw AuthErrors.authorizationIdentity();
        }
        return binding + ",,";
    }

    private void requireUnbound() throws SyntaxException {
        if (isBound) {
            throw new SyntaxException("SCRAM-SHA-256-PLUS needs channel binding");
        }
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
        byte[] signed = ScramMessage.bytes(authMessage);
        PasswordVerifier verifier = credentials.accepting(proof, signed);
        if (verifier == null) {
            throw ProtocolErrors.loginFailed(user, database);
        }
        state = State.PROVEN;
        proven = ProvenSecret.of(verifier.keys(proof, signed));
        byte[] signature = verifier.serverSignature(signed);
        return new AuthenticationSASLFinal(ScramMessage.slice("v=" + ScramMessage.base64(signature)));
    }

    private void checkFinal(ScramMessage message) throws SyntaxException {
        if (!message.required('c').equals(ScramMessage.base64(bindingInput()))) {
            if (isBound) {
                throw AuthErrors.bindingMismatch();
            }
            throw new SyntaxException("the channel binding differs from that of the first message");
        }
        if (!message.required('r').equals(nonce)) {
            throw new SyntaxException("the nonce differs from that of the first message");
        }
    }

    /** What the client says of the channel, under its proof: the header, and the certificate that it has seen. */
    private byte[] bindingInput() {
        byte[] header = ScramMessage.bytes(gs2Header);
        if (!isBound || endpoint == null) {
            return header;
        }
        byte[] input = Arrays.copyOf(header, header.length + endpoint.length);
        System.arraycopy(endpoint, 0, input, header.length, endpoint.length);
        return input;
    }

    private static String freshNonce(SecureRandom random) {
        return ScramFunctions.nonce(NONCE_BYTES, random);
    }
}
