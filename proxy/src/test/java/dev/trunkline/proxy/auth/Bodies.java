package dev.trunkline.proxy.auth;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.backend.Authentication;
import dev.trunkline.protocol.backend.AuthenticationSASLContinue;
import dev.trunkline.protocol.backend.AuthenticationSASLFinal;
import dev.trunkline.protocol.frontend.FrontendMessage;
import dev.trunkline.protocol.frontend.SASLInitialResponse;
import dev.trunkline.protocol.frontend.SASLResponse;

/** Feeds a server exchange as the wire does. */
final class Bodies {

    private Bodies() {}

    /** The exchange's answer to the message. */
    static Authentication send(ScramServerExchange exchange, FrontendMessage message) {
        FrameWriter out = new FrameWriter();
        message.encode(out);
        return exchange.respond(out.array(), 5, out.length() - 5);
    }

    /** The exchange's answer to the choice of SCRAM-SHA-256 with the given client-first-message. */
    static String first(ScramServerExchange exchange, String data) {
        SASLInitialResponse message = new SASLInitialResponse("SCRAM-SHA-256", ByteSlice.of(data));
        return ((AuthenticationSASLContinue) send(exchange, message)).data().toString();
    }

    /** The exchange's answer to the given client-final-message. */
    static String last(ScramServerExchange exchange, String data) {
        SASLResponse message = new SASLResponse(ByteSlice.of(data));
        return ((AuthenticationSASLFinal) send(exchange, message)).data().toString();
    }
}
