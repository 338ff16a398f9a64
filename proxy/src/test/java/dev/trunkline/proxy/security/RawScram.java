package dev.trunkline.proxy.security;

import com.ongres.scram.common.ScramFunctions;
import com.ongres.scram.common.ScramMechanism;
import com.ongres.scram.common.StringPreparation;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.FrameBody;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A client's half of SCRAM that says whatever a test wants it to, with a proof that is right for what it says. */
final class RawScram {

    private static final ScramMechanism HASH = ScramMechanism.SCRAM_SHA_256;
    private static final String NONCE = "clientnonce";

    private final WireClient client;
    private final String password;
    private String firstBare = "";
    private String serverFirst = "";

    RawScram(WireClient client, String password) {
        this.client = client;
        this.password = password;
    }

    /** Sends the startup packet; the mechanisms that are offered. */
    List<String> mechanisms(String user, String database) {
        client.send(Frontend.startup(Frontend.PROTOCOL_3_0, Map.of("user", user, "database", database)));
        FrameBody body = client.readAny().reader();
        body.skip(4);
        List<String> names = new ArrayList<>();
        for (String name = body.string(); !name.isEmpty(); name = body.string()) {
            names.add(name);
        }
        return names;
    }

    /** Sends client-first-message with the GS2 header; the answer is read if the proxy has one. */
    Frame first(String mechanism, String gs2Header) {
        firstBare = "n=,r=" + NONCE;
        client.send(Frontend.saslInitialResponse(mechanism, gs2Header + firstBare));
        Frame answer = client.readAny();
        if (answer.type() == 'R') {
            serverFirst = new String(answer.body(), 4, answer.body().length - 4, StandardCharsets.UTF_8);
        }
        return answer;
    }

    /** Sends client-final-message, in which {@code c} is the given input; the answer. */
    Frame last(byte[] bindingInput) {
        String nonce = attribute("r=");
        byte[] salt = Base64.getDecoder().decode(attribute("s="));
        int iterations = Integer.parseInt(attribute("i="));
        String withoutProof = "c=" + Base64.getEncoder().encodeToString(bindingInput) + ",r=" + nonce;
        byte[] salted = ScramFunctions.saltedPassword(
                HASH, StringPreparation.POSTGRESQL_PREPARATION, password.toCharArray(), salt, iterations);
        byte[] clientKey = ScramFunctions.clientKey(HASH, salted);
        byte[] authMessage = (firstBare + "," + serverFirst + "," + withoutProof).getBytes(StandardCharsets.UTF_8);
        byte[] signature = ScramFunctions.hmac(HASH, ScramFunctions.hash(HASH, clientKey), authMessage);
        byte[] proof = ScramFunctions.clientProof(clientKey, signature);
        client.send(
                Frontend.saslResponse(withoutProof + ",p=" + Base64.getEncoder().encodeToString(proof)));
        return client.readAny();
    }

    private String attribute(String name) {
        for (String part : serverFirst.split(",")) {
            if (part.startsWith(name)) {
                return part.substring(name.length());
            }
        }
        throw new AssertionError("no " + name + " in " + serverFirst);
    }
}
