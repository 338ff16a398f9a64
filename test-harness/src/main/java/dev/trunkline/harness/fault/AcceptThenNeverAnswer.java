package dev.trunkline.harness.fault;

/** Takes the connection and never says a word: a host whose process hangs, or a firewall that swallows packets. */
public final class AcceptThenNeverAnswer implements Behaviour {

    @Override
    public void serve(FakeSession session) {
        var unused = session.startup();
        session.staySilent();
    }
}
