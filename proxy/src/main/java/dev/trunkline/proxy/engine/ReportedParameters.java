package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.backend.ParameterStatus;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.net.WireChannel;
import java.util.HashMap;
import java.util.Map;

/** What the client was last told of the run-time parameters that a server reports: it hears of changes only. */
final class ReportedParameters {

    private final WireChannel client;
    private final HashMap<String, String> told = new HashMap<>();
    private long sum;

    ReportedParameters(WireChannel client, Map<String, String> toldAtLogin) {
        this.client = client;
        told.putAll(toldAtLogin);
        told.forEach((name, value) -> sum += ServerConnection.sumOf(name, value));
    }

    /** A server reported a value: tells the client when it knows another one. */
    void report(String name, String value) {
        String before = told.put(name, value);
        if (!value.equals(before)) {
            sum += ServerConnection.sumOf(name, value) - ServerConnection.sumOf(name, before);
            FrameWriter out = new FrameWriter();
            new ParameterStatus(name, value).encode(out);
            client.write(out.toByteArray());
        }
    }

    /** The session goes on over this server connection: tells the client what differs there. */
    void catchUp(ServerConnection server) {
        if (sum != server.parametersSum()) {
            server.parameters().forEach(this::report);
        }
    }

    /** The value the client knows, e.g. of standard_conforming_strings; empty when it was never told. */
    String value(String name) {
        return told.getOrDefault(name, "");
    }
}
