package dev.trunkline.harness.fault;

import dev.trunkline.harness.wire.Backend;

/** Answers the startup packet with a FATAL error, for instance 53300 or 57P03, and closes. */
public final class RefuseLogin implements Behaviour {

    private final String sqlState;
    private final String message;

    public RefuseLogin(String sqlState, String message) {
        this.sqlState = sqlState;
        this.message = message;
    }

    @Override
    public void serve(FakeSession session) {
        var unused = session.startup();
        session.send(Backend.error("FATAL", sqlState, message));
    }
}
