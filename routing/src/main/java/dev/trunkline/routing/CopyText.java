package dev.trunkline.routing;

import dev.trunkline.routing.plan.RoutingErrors;
import dev.trunkline.routing.shard.CopyTarget;
import dev.trunkline.routing.sql.Command;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What the shards get in place of a COPY FROM: the client's text, with a column list if it has none. */
final class CopyText {

    private CopyText() {}

    static Route route(Statement statement, CopyTarget target, Command.Copy copy, List<Command.CopyOption> options) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        List<Route.Piece> pieces = new ArrayList<>();
        Splice columns = statement.columnList();
        if (columns == null && copy.columns().isEmpty()) {
            throw RoutingErrors.notAnalysed("The columns of its table are not known: give a column list.");
        }
        if (columns == null) {
            add(statement, statement.start(), statement.end(), text, pieces);
        } else {
            add(statement, statement.start(), columns.position(), text, pieces);
            text.writeBytes(columns.text().getBytes(StandardCharsets.UTF_8));
            add(statement, columns.position(), statement.end(), text, pieces);
        }
        return new Route.Copy(target, new Route.Part(0, text.toByteArray(), List.of(), List.copyOf(pieces)), options);
    }

    private static void add(
            Statement statement, int from, int end, ByteArrayOutputStream text, List<Route.Piece> pieces) {
        pieces.add(new Route.Piece(text.size(), from, end - from));
        text.write(statement.text(), from, end - from);
    }
}
