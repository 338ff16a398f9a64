package dev.trunkline.harness.fault;

/** Reads the startup packet and closes: a server that crashes while it forks. */
public final class CloseAfterStartup implements Behaviour {

    @Override
    public void serve(FakeSession session) {
        var unused = session.startup();
    }
}
