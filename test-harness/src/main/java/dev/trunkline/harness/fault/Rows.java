package dev.trunkline.harness.fault;

import dev.trunkline.harness.wire.Backend;
import dev.trunkline.harness.wire.Frame;
import java.util.List;

/**
 * Answers with rows of text.
 *
 * @param columns their names
 * @param rows may be empty
 */
public record Rows(List<String> columns, List<List<String>> rows) implements Reaction {

    @Override
    public void execute(FakeSession session) {
        for (List<String> row : rows) {
            session.send(Backend.dataRow(row));
        }
        session.send(Backend.commandComplete("SELECT " + rows.size()));
    }

    @Override
    public Frame description() {
        return Backend.rowDescription(columns);
    }
}
