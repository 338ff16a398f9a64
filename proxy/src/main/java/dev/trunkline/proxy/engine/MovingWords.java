package dev.trunkline.proxy.engine;

import dev.trunkline.copy.format.CopyFormat;
import dev.trunkline.copy.format.CopyOptions;
import dev.trunkline.copy.format.KeyEncoding;
import dev.trunkline.copy.format.RowScanner;
import dev.trunkline.copy.format.RowScanner.Event;
import dev.trunkline.copy.format.RowScanner.KeyValue;
import dev.trunkline.routing.plan.EqualPlan;
import dev.trunkline.routing.plan.RoutingErrors;
import dev.trunkline.routing.shard.CopyTarget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks through a COPY into an omnisharded table for dates and times that are words such as {@code now}: each shard would
 * store another. The binary format has no words.
 */
final class MovingWords {

    private final CopyTarget target;
    private final List<RowScanner> scanners = new ArrayList<>();
    private boolean ended;

    /** At the beginning of a stream. */
    MovingWords(CopyTarget target, CopyOptions options, boolean csvMarker) {
        this.target = target;
        if (options.format() != CopyFormat.BINARY) {
            for (int field : target.dateTimeFields()) {
                scanners.add(RowScanner.of(options, target.columns(), field, csvMarker, KeyEncoding.UTF8));
            }
        }
    }

    boolean hasNothingToFind() {
        return scanners.isEmpty() || ended;
    }

    /** Looks through a piece; throws PgException 0A000 when there is such a word, 22P04 when it is none of the format. */
    void check(byte[] bytes, int length) {
        for (RowScanner scanner : scanners) {
            Event event = scanner.scan(bytes, 0, length);
            while (event != Event.MORE && event != Event.END) {
                check(event, scanner);
                event = scanner.scan(bytes, scanner.position(), length);
            }
            ended |= event == Event.END;
        }
    }

    /** The stream has ended. */
    void finish() {
        for (RowScanner scanner : scanners) {
            if (!ended) {
                for (Event event = scanner.finish(); event != Event.END; event = scanner.finish()) {
                    check(event, scanner);
                }
            }
        }
    }

    private void check(Event event, RowScanner scanner) {
        if (event != Event.KEY || scanner.keyValue() != KeyValue.VALUE) {
            return;
        }
        String text = new String(scanner.keyBytes(), scanner.keyOffset(), scanner.keyLength(), StandardCharsets.UTF_8);
        if (EqualPlan.isMoving(text)) {
            throw RoutingErrors.unequalWrite(target.label(), "A date or time is the word \"" + text.strip() + "\".");
        }
    }
}
