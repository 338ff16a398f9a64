package dev.trunkline.harness.fault;

/** Answers with what is no message at all: a length below the least possible one. */
public final class GarbageFrame implements Reaction {

    @Override
    public void execute(FakeSession session) {
        session.sendRaw(new byte[] {'D', 0, 0, 0, 1, (byte) 0xde, (byte) 0xad});
        session.staySilent();
    }
}
