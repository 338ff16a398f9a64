package dev.trunkline.harness.fault;

import dev.trunkline.harness.wire.Backend;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.FrameBody;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Lets everybody in and answers statements by script, in simple and extended protocol; what the script does not name
 * succeeds without rows. It knows transactions by BEGIN, COMMIT and ROLLBACK. One instance may serve many connections.
 */
public final class Scripted implements Behaviour {

    private final Map<String, Reaction> reactions = new LinkedHashMap<>();

    /** Reacts to statements that contain the given text; the first that fits, in the order of these calls. */
    public Scripted on(String part, Reaction reaction) {
        reactions.put(part, reaction);
        return this;
    }

    @Override
    public void serve(FakeSession session) {
        session.login();
        new Dialogue(session).run();
    }

    private Reaction reaction(String sql) {
        return reactions.entrySet().stream()
                .filter(entry -> sql.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(s -> s.send(Backend.commandComplete(firstWord(sql))));
    }

    private static String firstWord(String sql) {
        return sql.strip().split("\\s|;", 2)[0].toUpperCase(Locale.ROOT);
    }

    /** One connection's state. */
    private final class Dialogue {

        private final FakeSession session;
        private final Map<String, String> statements = new HashMap<>();
        private final Map<String, String> portals = new HashMap<>();
        private char status = 'I';

        Dialogue(FakeSession session) {
            this.session = session;
        }

        void run() {
            for (Frame frame = session.read(); frame.type() != 'X'; frame = session.read()) {
                FrameBody body = frame.reader();
                switch (frame.type()) {
                    case 'Q' -> simple(body.string());
                    case 'P' -> parse(body);
                    case 'B' -> bind(body);
                    case 'D' -> describe(body);
                    case 'E' -> execute(portals.getOrDefault(body.string(), ""));
                    case 'C' -> session.send(Backend.empty('3'));
                    case 'S' -> session.send(Backend.readyForQuery(status));
                    default -> {}
                }
            }
        }

        private void simple(String sql) {
            Frame description = reaction(sql).description();
            if (description.type() == 'T') {
                session.send(description);
            }
            execute(sql);
            session.send(Backend.readyForQuery(status));
        }

        private void parse(FrameBody body) {
            statements.put(body.string(), body.string());
            session.send(Backend.empty('1'));
        }

        private void bind(FrameBody body) {
            portals.put(body.string(), statements.getOrDefault(body.string(), ""));
            session.send(Backend.empty('2'));
        }

        private void describe(FrameBody body) {
            boolean statement = body.int8() == 'S';
            Map<String, String> texts = statement ? statements : portals;
            if (statement) {
                session.send(Backend.noParameters());
            }
            session.send(reaction(texts.getOrDefault(body.string(), "")).description());
        }

        private void execute(String sql) {
            session.noteStatement(sql);
            reaction(sql).execute(session);
            switch (firstWord(sql)) {
                case "BEGIN" -> status = 'T';
                case "COMMIT", "ROLLBACK" -> status = 'I';
                default -> {}
            }
        }
    }
}
