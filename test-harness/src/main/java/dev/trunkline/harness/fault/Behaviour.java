package dev.trunkline.harness.fault;

/** What a {@link FakeServer} does with one connection; called on a thread of its own, which may block. */
@FunctionalInterface
public interface Behaviour {

    /** Serves the connection; it is closed in order when this returns, unless it has been ended otherwise. */
    void serve(FakeSession session);
}
