package dev.trunkline.proxy.scenario;

import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.WireClient;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A client of a proxy that sends every statement by the same protocol. One thread at a time. */
final class Client implements AutoCloseable {

    private final @Nullable Instance instance;
    private final WireClient wire;
    private final Protocol protocol;
    private final Map<String, String> prepared = new HashMap<>();
    private int owed;

    /** A client of a proxy of this JVM; null = of one in a process of its own. */
    Client(@Nullable Instance instance, WireClient wire, Protocol protocol) {
        this.instance = instance;
        this.wire = wire;
        this.protocol = protocol;
    }

    /** The connection itself, for what is not one statement after the other. */
    WireClient wire() {
        return wire;
    }

    /** Runs one statement. */
    Answer run(String sql, @Nullable Object... values) {
        return send(sql, values).answer();
    }

    /** Sends one statement together with those sent before it; {@link #answer} is called once for each. */
    Client send(String sql, @Nullable Object... values) {
        owed = protocol.send(wire, prepared, sql, values);
        return this;
    }

    /** Hands what was sent to the network. */
    Client push() {
        wire.push();
        return this;
    }

    /** The answer to the statement sent last. */
    Answer answer() {
        Answer answer = wire.answer();
        for (int more = owed - 1; more > 0; more--) {
            Answer next = wire.answer();
            answer = answer.sqlState() == null ? next : answer;
        }
        owed = 1;
        return answer;
    }

    /** Vanishes without a word, as a client that crashes does. */
    void vanish() {
        wire.reset();
        if (instance != null) {
            instance.vanished(this);
        }
    }

    @Override
    public void close() {
        wire.close();
    }
}
