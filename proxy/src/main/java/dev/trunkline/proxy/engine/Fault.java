package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.backend.ErrorResponse;
import dev.trunkline.protocol.backend.ResponseFields;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.Severity;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.function.IntUnaryOperator;

/**
 * A failure as the client is told of it: one ErrorResponse frame, the server's own bytes or made from an exception.
 *
 * @param frame the whole frame
 */
record Fault(byte[] frame) {

    static Fault of(PgException exception) {
        FrameWriter out = new FrameWriter();
        ErrorResponse.of(exception).encode(out);
        return new Fault(out.toByteArray());
    }

    /**
     * The rows of a prepared statement would not look as the client was told. Drivers tell this error from others by the
     * function of the server that raises it, and prepare the statement anew.
     */
    static Fault staleRows() {
        FrameWriter out = new FrameWriter();
        ResponseFields fields = ResponseFields.of(EngineErrors.staleRows());
        new ErrorResponse(fields.with(ResponseFields.ROUTINE, "RevalidateCachedQuery")).encode(out);
        return new Fault(out.toByteArray());
    }

    /**
     * A server's ErrorResponse. FATAL becomes ERROR: the server's session has ended, the client's goes on.
     */
    static Fault ofServer(ByteBuf buffer, int start, int end, boolean fatal) {
        byte[] frame = ByteBufUtil.getBytes(buffer, start, end - start);
        if (!fatal) {
            return new Fault(frame);
        }
        ErrorResponse response = ErrorResponse.decode(frame, Frame.HEADER_BYTES, frame.length - Frame.HEADER_BYTES);
        FrameWriter out = new FrameWriter();
        new ErrorResponse(response.fields().withSeverity(Severity.ERROR)).encode(out);
        return new Fault(out.toByteArray());
    }

    /** The same failure, as what ends the client's session. */
    Fault fatal() {
        FrameWriter out = new FrameWriter();
        new ErrorResponse(response().fields().withSeverity(Severity.FATAL)).encode(out);
        return new Fault(out.toByteArray());
    }

    /** The same failure, found elsewhere: with the position that {@code mapped} makes of its own, none for 0. */
    Fault withPosition(IntUnaryOperator mapped) {
        ResponseFields fields = response().fields();
        String position = fields.text(ResponseFields.POSITION);
        if (position == null) {
            return this;
        }
        int here = Integer.parseInt(position);
        int elsewhere = mapped.applyAsInt(here);
        if (elsewhere == here) {
            return this;
        }
        FrameWriter out = new FrameWriter();
        new ErrorResponse(
                        elsewhere == 0
                                ? fields.without(ResponseFields.POSITION)
                                : fields.with(ResponseFields.POSITION, Integer.toString(elsewhere)))
                .encode(out);
        return new Fault(out.toByteArray());
    }

    /** The fields of the response. */
    ErrorResponse response() {
        return ErrorResponse.decode(frame, Frame.HEADER_BYTES, frame.length - Frame.HEADER_BYTES);
    }
}
