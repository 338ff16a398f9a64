package dev.trunkline.harness.wire;

import com.ongres.scram.client.ScramClient;
import com.ongres.scram.common.exception.ScramException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The client's half of SCRAM-SHA-256 without channel binding. */
final class ScramLogin {

    private static final int SASL_CONTINUE = 11;
    private static final int SASL_FINAL = 12;

    private final FrameSocket socket;
    private final String password;

    ScramLogin(FrameSocket socket, String password) {
        this.socket = socket;
        this.password = password;
    }

    /**
     * Goes through the exchange and returns the message after it: AuthenticationOk, or an ErrorResponse in place of
     * any step.
     */
    Frame answer(Frame authenticationSasl) {
        ScramClient client = ScramClient.builder()
                .advertisedMechanisms(mechanisms(authenticationSasl))
                // The server takes the user from the startup packet and ignores this name.
                .username("*")
                .password(password.toCharArray())
                .build();
        try {
            socket.write(Frontend.saslInitialResponse(
                            client.getScramMechanism().getName(),
                            client.clientFirstMessage().toString())
                    .bytes());
            Frame first = socket.read();
            if (first.type() == 'E') {
                return first;
            }
            var unusedFirst = client.serverFirstMessage(payload(first, SASL_CONTINUE));
            socket.write(Frontend.saslResponse(client.clientFinalMessage().toString())
                    .bytes());
            Frame last = socket.read();
            if (last.type() == 'E') {
                return last;
            }
            var unusedFinal = client.serverFinalMessage(payload(last, SASL_FINAL));
            return socket.read();
        } catch (ScramException e) {
            throw socket.failure("SCRAM: " + e.getMessage());
        }
    }

    private static List<String> mechanisms(Frame authenticationSasl) {
        FrameBody body = authenticationSasl.reader();
        body.skip(4); // the method: SASL
        List<String> names = new ArrayList<>();
        for (String name = body.string(); !name.isEmpty(); name = body.string()) {
            names.add(name);
        }
        return names;
    }

    private String payload(Frame frame, int expectedCode) {
        FrameBody body = frame.reader();
        if (frame.type() != 'R' || body.int32() != expectedCode) {
            throw socket.failure("expected authentication step " + expectedCode + ", got " + frame);
        }
        return new String(body.rest(), StandardCharsets.UTF_8);
    }
}
