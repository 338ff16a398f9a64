package dev.trunkline.harness.fault;

/** Takes the statement and never says a word about it. */
public final class NeverAnswer implements Reaction {

    @Override
    public void execute(FakeSession session) {
        session.staySilent();
    }
}
