package dev.trunkline.proxy.transaction;

import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Notation;
import dev.trunkline.harness.wire.WireClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Says a script and writes down what comes back, as far as two servers must agree on it. */
enum Speaker {

    /** A line is one Query. */
    SIMPLE {
        @Override
        void one(WireClient wire, String line) {
            wire.query(line);
        }
    },

    /** A line is one statement by the extended protocol; one that holds several stays a Query. */
    EXTENDED {
        @Override
        void one(WireClient wire, String line) {
            if (isStatement(line)) {
                statement(wire, line).sync();
            } else {
                SIMPLE.one(wire, line);
            }
        }
    },

    /** Every line is a named statement, prepared and described before the first is executed, as drivers do. */
    PREPARED {
        @Override
        List<String> say(WireClient wire, Script script) {
            List<String> heard = new ArrayList<>();
            for (String line : script.lines().stream().distinct().toList()) {
                if (isStatement(line)) {
                    wire.parse(nameOf(line), line)
                            .describeStatement(nameOf(line))
                            .sync();
                    note(wire, heard);
                }
            }
            heard.addAll(super.say(wire, script));
            return heard;
        }

        @Override
        void one(WireClient wire, String line) {
            if (isStatement(line)) {
                wire.bind("", nameOf(line)).execute("").sync();
            } else {
                SIMPLE.one(wire, line);
            }
        }

        private static String nameOf(String line) {
            return "s" + Integer.toHexString(line.hashCode());
        }
    };

    private static final String REFUSED = "0A000";

    /** Sends a line that is no pipeline. */
    abstract void one(WireClient wire, String line);

    /** Each line, and what came back. */
    List<String> say(WireClient wire, Script script) {
        List<String> heard = new ArrayList<>();
        for (String line : script.lines()) {
            heard.add("> " + line);
            if (line.startsWith("|")) {
                for (int owed = pipeline(wire, line); owed > 0; owed--) {
                    note(wire, heard);
                }
            } else {
                one(wire, line);
                note(wire, heard);
            }
        }
        return heard;
    }

    /** False for a pipeline and for a string of statements. */
    private static boolean isStatement(String line) {
        return !line.startsWith("|") && !line.contains(";");
    }

    private static void note(WireClient wire, List<String> heard) {
        wire.answer().frames().forEach(frame -> heard.add("  " + shown(frame)));
    }

    private static WireClient statement(WireClient wire, String sql) {
        return wire.parse("", sql).bind("", "").describe("").execute("");
    }

    private static int pipeline(WireClient wire, String line) {
        int syncs = 0;
        for (String part :
                Arrays.stream(line.substring(1).split("\\|")).map(String::strip).toList()) {
            switch (part) {
                case "FLUSH" -> wire.flush();
                case "SYNC" -> {
                    wire.sync();
                    syncs++;
                }
                default -> statement(wire, part);
            }
        }
        return syncs;
    }

    /** Errors and notices by their code: what they say may differ; a refusal shows what it is about. */
    private static String shown(Frame frame) {
        char type = frame.type();
        if (type != 'E' && type != 'N') {
            return frame.toString();
        }
        Map<Character, String> fields = Notation.fields(frame);
        String code = fields.get('C');
        return type + " " + fields.get('V') + " " + code + (REFUSED.equals(code) ? " " + fields.get('M') : "");
    }
}
