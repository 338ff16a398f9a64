package dev.trunkline.harness.fault;

import dev.trunkline.harness.wire.Backend;
import dev.trunkline.harness.wire.Frame;
import java.util.Arrays;
import java.util.List;

/** Sends a row, half of a second one, and is gone. */
public final class CloseMidRow implements Reaction {

    @Override
    public void execute(FakeSession session) {
        byte[] row = Backend.dataRow(List.of("cut in two")).bytes();
        session.sendRaw(row);
        session.sendRaw(Arrays.copyOf(row, row.length / 2));
        session.close();
    }

    @Override
    public Frame description() {
        return Backend.rowDescription(List.of("c"));
    }
}
