package dev.trunkline.proxy.engine;

import dev.trunkline.copy.split.CopySplitter;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.backend.ErrorResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Places errors of a COPY in the client's stream, in the words of PostgreSQL's CONTEXT. */
final class CopyContext {

    private static final byte WHERE = 'W';

    private final String table;
    private final Pattern line;
    private final CopySplitter splitter;

    CopyContext(String table, CopySplitter splitter) {
        this.table = table;
        this.splitter = splitter;
        // The word for line is the server's language's.
        this.line = Pattern.compile("^COPY " + Pattern.quote(table) + ", \\S+ (\\d+)", Pattern.MULTILINE);
    }

    /** An error that was found here. */
    Fault here(Fault fault, String column) {
        String place = "COPY " + table + ", line " + splitter.scanner().line();
        return with(fault, column.isEmpty() ? place : place + ", column " + column);
    }

    /** An error that a server has found in the lines that it has got. */
    Fault ofShard(Fault fault, int index, int shard) {
        String where = fault.response().fields().text(WHERE);
        Matcher found = where == null ? null : line.matcher(where);
        if (where == null || found == null || !found.find()) {
            return fault;
        }
        long there = clientLine(index, Long.parseLong(found.group(1)));
        String replaced = there > 0
                ? where.substring(0, found.start(1)) + there + where.substring(found.end(1))
                : where.substring(0, found.end(1)) + " of the rows of shard " + shard + where.substring(found.end(1));
        return with(fault, replaced);
    }

    /** A server that waits for a line stands at the one that would come next. */
    private long clientLine(int index, long shardLine) {
        long there = splitter.clientLine(index, shardLine);
        boolean next = there == 0 && shardLine > 1 && splitter.clientLine(index, shardLine - 1) > 0;
        return next || there == 0 && shardLine == 1
                ? Math.max(1, splitter.scanner().line())
                : there;
    }

    private static Fault with(Fault fault, String where) {
        FrameWriter out = new FrameWriter();
        new ErrorResponse(fault.response().fields().with(WHERE, where)).encode(out);
        return new Fault(out.toByteArray());
    }
}
