package dev.trunkline.harness.fault;

import dev.trunkline.harness.wire.Backend;
import dev.trunkline.harness.wire.Frame;

/** How a {@link Scripted} server carries out a statement. */
@FunctionalInterface
public interface Reaction {

    /** Sends what comes between the statement and ReadyForQuery; without a RowDescription. */
    void execute(FakeSession session);

    /** RowDescription or NoData. */
    default Frame description() {
        return Backend.empty('n');
    }
}
