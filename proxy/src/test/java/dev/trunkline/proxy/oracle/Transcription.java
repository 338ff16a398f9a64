package dev.trunkline.proxy.oracle;

import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.FrameBody;
import dev.trunkline.harness.wire.Notation;
import dev.trunkline.harness.wire.WireClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of an answer, one line each, without what may differ between servers: the order of rows, object
 * identifiers of tables, rows that came before an error.
 *
 * @param sqlState of the first error; null if there is none
 * @param message of the first error
 */
record Transcription(
        List<String> lines,
        @Nullable String sqlState,
        @Nullable String message) {

    /** The fields of an error that two servers of one version share. */
    private static final String ERROR_FIELDS = "SCMDHPstcdn";

    private static final List<String> REPORTED = List.of(
            "application_name",
            "client_encoding",
            "DateStyle",
            "IntervalStyle",
            "is_superuser",
            "session_authorization",
            "standard_conforming_strings",
            "TimeZone",
            "search_path");

    static Transcription of(Answer answer, boolean ordered) {
        List<String> lines = new ArrayList<>();
        List<String> rows = new ArrayList<>();
        for (Frame frame : answer.frames()) {
            if (frame.type() == 'D') {
                rows.add(frame.toString());
                continue;
            }
            if (frame.type() == 'E') {
                dropDescriptions(lines);
            } else {
                if (!ordered) {
                    Collections.sort(rows);
                }
                lines.addAll(rows);
            }
            rows.clear();
            lines.add(line(frame));
        }
        return new Transcription(List.copyOf(lines), answer.sqlState(), answer.message());
    }

    /** At Parse, Bind or Execute: when a fault is found may differ. */
    private static void dropDescriptions(List<String> lines) {
        while (!lines.isEmpty() && "12tTn".indexOf(lines.get(lines.size() - 1).charAt(0)) >= 0) {
            lines.remove(lines.size() - 1);
        }
    }

    private static String line(Frame frame) {
        return switch (frame.type()) {
            case 'T' -> "T " + columns(frame);
            case 'E', 'N' -> frame.type() + " " + message(frame);
            default -> frame.toString();
        };
    }

    /** Name, type, size, modifier and format of each column. */
    private static String columns(Frame frame) {
        StringBuilder columns = new StringBuilder();
        FrameBody body = frame.reader();
        for (int left = body.int16(); left > 0; left--) {
            columns.append(body.string());
            body.skip(6);
            columns.append(':').append(body.int32());
            columns.append(':').append((short) body.int16());
            columns.append(':').append(body.int32());
            columns.append(':').append(body.int16()).append(left > 1 ? " | " : "");
        }
        return columns.toString();
    }

    private static String message(Frame frame) {
        StringBuilder text = new StringBuilder();
        Map<Character, String> fields = Notation.fields(frame);
        for (char type : ERROR_FIELDS.toCharArray()) {
            String value = fields.get(type);
            if (value != null) {
                text.append(type).append('=').append(value).append(' ');
            }
        }
        return text.toString().strip();
    }

    Transcription and(Transcription next) {
        List<String> both = new ArrayList<>(lines.subList(0, lines.size() - 1));
        both.addAll(next.lines);
        return new Transcription(both, next.sqlState, next.message);
    }

    /** With the parameters that the client has been told, whenever that was. */
    Said said(WireClient client) {
        List<String> all = new ArrayList<>(lines);
        REPORTED.forEach(name -> all.add("S " + name + "=" + client.parameter(name)));
        return new Said(all, sqlState, message);
    }
}
