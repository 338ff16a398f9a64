package dev.trunkline.harness.fault;

import dev.trunkline.harness.wire.Backend;

/**
 * Answers with an error.
 *
 * @param severity ERROR, or FATAL, after which the connection is closed
 */
public record Fail(String severity, String sqlState, String message) implements Reaction {

    @Override
    public void execute(FakeSession session) {
        session.send(Backend.error(severity, sqlState, message));
        if (severity.equals("FATAL")) {
            throw new FakeSession.Ended();
        }
    }
}
