package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.TransactionStatus;

/** Whole frames that never differ, ready to be sent; the arrays are shared and must not be changed. */
public final class FixedFrames {

    public static final byte[] AUTHENTICATION_OK = frame(new AuthenticationOk());
    public static final byte[] PARSE_COMPLETE = frame(new ParseComplete());
    public static final byte[] BIND_COMPLETE = frame(new BindComplete());
    public static final byte[] CLOSE_COMPLETE = frame(new CloseComplete());
    public static final byte[] NO_DATA = frame(new NoData());
    public static final byte[] PORTAL_SUSPENDED = frame(new PortalSuspended());
    public static final byte[] EMPTY_QUERY_RESPONSE = frame(new EmptyQueryResponse());

    private static final byte[] READY_IDLE = frame(new ReadyForQuery(TransactionStatus.IDLE));
    private static final byte[] READY_IN_TRANSACTION = frame(new ReadyForQuery(TransactionStatus.IN_TRANSACTION));
    private static final byte[] READY_FAILED = frame(new ReadyForQuery(TransactionStatus.FAILED));

    private FixedFrames() {}

    /** ReadyForQuery with the given status. */
    public static byte[] readyForQuery(TransactionStatus status) {
        return switch (status) {
            case IDLE -> READY_IDLE;
            case IN_TRANSACTION -> READY_IN_TRANSACTION;
            case FAILED -> READY_FAILED;
        };
    }

    private static byte[] frame(BackendMessage message) {
        FrameWriter out = new FrameWriter();
        message.encode(out);
        return out.toByteArray();
    }
}
