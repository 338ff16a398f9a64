package dev.trunkline.proxy.backend;

import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.backend.RowDescription;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A statement that is prepared on one server connection. While it lives its rows keep the columns that they have: where a
 * definition has changed PostgreSQL refuses to bind it ("cached plan must not change result type").
 */
public final class ServerStatement {

    private static final byte[] NO_ROWS = {};

    // A session reads it on another loop than the connection is on by then.
    private volatile byte @Nullable [] rows;

    /** One of which it is not known yet what its rows look like. */
    public ServerStatement() {}

    /** Notes what the server has said of its rows: a RowDescription or a NoData. */
    public void describe(byte type, ByteBuf buffer, int start, int end) {
        rows = type == 'T' ? ByteBufUtil.getBytes(buffer, start, end - start) : NO_ROWS;
    }

    /** The same, of a frame for itself. */
    public void describe(byte[] frame) {
        rows = frame[0] == 'T' ? frame : NO_ROWS;
    }

    /** True when it is known what its rows look like. */
    public boolean isDescribed() {
        return rows != null;
    }

    /**
     * True when the rows of both have the same columns, in whatever format. Both must be described. Throws 08P01 when a
     * description is malformed.
     */
    public boolean hasColumnsOf(ServerStatement other) {
        return matches(other, RowDescription::hasColumnsOf);
    }

    /** The same in the same formats. */
    public boolean hasShapeOf(ServerStatement other) {
        return matches(other, RowDescription::hasShapeOf);
    }

    private boolean matches(ServerStatement other, BiPredicate<RowDescription, RowDescription> equal) {
        byte[] mine = rows;
        byte[] others = other.rows;
        if (mine == null || others == null) {
            throw new IllegalStateException("not described");
        }
        if (mine.length == 0 || others.length == 0) {
            return mine.length == others.length;
        }
        return equal.test(decode(mine), decode(others));
    }

    private static RowDescription decode(byte[] frame) {
        return RowDescription.decode(frame, Frame.HEADER_BYTES, frame.length - Frame.HEADER_BYTES);
    }
}
