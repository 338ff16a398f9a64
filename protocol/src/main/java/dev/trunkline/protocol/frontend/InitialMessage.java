package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.error.ProtocolErrors;

/** A packet without type that opens a connection; what it is, the four bytes after its length tell. */
public sealed interface InitialMessage extends FrontendMessage
        permits StartupMessage, SslRequest, GssEncRequest, CancelRequest {

    /** The length and a request code or version. */
    int MIN_FRAME_BYTES = 8;

    /**
     * The packet with the given body.
     *
     * @throws dev.trunkline.protocol.error.PgException 0A000 FATAL for a major version other than 3, 08P01 FATAL if
     *     the body is malformed, 22021 if a name is not UTF-8
     */
    static InitialMessage decode(byte[] buffer, int offset, int length) {
        int code = new BodyReader("StartupMessage", buffer, offset, length).int32();
        return switch (code) {
            case SslRequest.CODE -> SslRequest.decode(buffer, offset, length);
            case GssEncRequest.CODE -> GssEncRequest.decode(buffer, offset, length);
            case CancelRequest.CODE -> CancelRequest.decode(buffer, offset, length);
            default -> decodeStartup(code, buffer, offset, length);
        };
    }

    /**
     * The length of the body of an opening packet, from its first four bytes; to be called before anything is buffered.
     *
     * @throws dev.trunkline.protocol.error.PgException 08P01 FATAL if it is less than a request code or more than
     *     {@link Frame#MAX_STARTUP_BYTES} allows
     */
    static int bodyBytes(int frameLength) {
        if (frameLength < MIN_FRAME_BYTES || frameLength > Frame.MAX_STARTUP_BYTES) {
            throw ProtocolErrors.invalidLength("StartupMessage", frameLength);
        }
        return frameLength - Frame.LENGTH_BYTES;
    }

    private static StartupMessage decodeStartup(int version, byte[] buffer, int offset, int length) {
        if (version >>> 16 != StartupMessage.MAJOR) {
            throw ProtocolErrors.unsupportedProtocol(version);
        }
        return StartupMessage.decode(buffer, offset, length);
    }
}
