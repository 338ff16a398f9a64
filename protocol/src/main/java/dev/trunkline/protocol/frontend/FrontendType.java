package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.error.ProtocolErrors;

/**
 * The types of messages that a client sends, and the lengths that the protocol allows them.
 *
 * <p>{@link #PASSWORD} stands for PasswordMessage, SASLInitialResponse, SASLResponse and GSSResponse: which of them it
 * is, the state of the authentication tells.
 */
public final class FrontendType {

    public static final byte BIND = 'B';
    public static final byte CLOSE = 'C';
    public static final byte COPY_DATA = 'd';
    public static final byte COPY_DONE = 'c';
    public static final byte COPY_FAIL = 'f';
    public static final byte DESCRIBE = 'D';
    public static final byte EXECUTE = 'E';
    public static final byte FLUSH = 'H';
    public static final byte FUNCTION_CALL = 'F';
    public static final byte PARSE = 'P';
    public static final byte PASSWORD = 'p';
    public static final byte QUERY = 'Q';
    public static final byte SYNC = 'S';
    public static final byte TERMINATE = 'X';

    /** The answer of {@link #minBodyBytes(byte)} for a type that no client sends. */
    public static final int UNKNOWN = -1;

    private FrontendType() {}

    /** Whether a client may send the type at all. */
    public static boolean isKnown(byte type) {
        return minBodyBytes(type) != UNKNOWN;
    }

    /** The least length of the body; {@link #UNKNOWN} if no client sends the type. */
    public static int minBodyBytes(byte type) {
        return switch (type) {
            case FLUSH, SYNC, COPY_DONE, TERMINATE, COPY_DATA, PASSWORD -> 0;
            case QUERY, COPY_FAIL -> 1;
            case DESCRIBE, CLOSE -> 2;
            case PARSE -> 4;
            case EXECUTE -> 5;
            case BIND -> 8;
            case FUNCTION_CALL -> 10;
            default -> UNKNOWN;
        };
    }

    /** The greatest length of the body that the protocol allows; the configuration may allow less. */
    public static int maxBodyBytes(byte type) {
        return switch (type) {
            case FLUSH, SYNC, COPY_DONE, TERMINATE -> 0;
            case DESCRIBE, CLOSE, EXECUTE, COPY_FAIL -> Frame.MAX_SMALL_BODY_BYTES;
            case PASSWORD -> Frame.MAX_AUTHENTICATION_BYTES;
            default -> Integer.MAX_VALUE;
        };
    }

    /**
     * Whether the body has to be collected whole before it can be acted on, as against CopyData, which may pass in
     * parts.
     */
    public static boolean isCollected(byte type) {
        return type != COPY_DATA;
    }

    /**
     * The length of the body of a frame, from the length in its header; to be called before anything is buffered.
     *
     * @param frameLength as on the wire: it counts its own four bytes
     * @throws dev.trunkline.protocol.error.PgException 08P01 FATAL if no client sends the type, or not of this length
     */
    public static int bodyBytes(byte type, int frameLength) {
        int min = minBodyBytes(type);
        if (min == UNKNOWN) {
            throw ProtocolErrors.unexpectedMessage(type);
        }
        int length = frameLength - Frame.LENGTH_BYTES;
        if (frameLength < Frame.LENGTH_BYTES || length < min || length > maxBodyBytes(type)) {
            throw ProtocolErrors.invalidLength(name(type), frameLength);
        }
        return length;
    }

    /** The name of the message in the manual. */
    public static String name(byte type) {
        return switch (type) {
            case BIND -> "Bind";
            case CLOSE -> "Close";
            case COPY_DATA -> "CopyData";
            case COPY_DONE -> "CopyDone";
            case COPY_FAIL -> "CopyFail";
            case DESCRIBE -> "Describe";
            case EXECUTE -> "Execute";
            case FLUSH -> "Flush";
            case FUNCTION_CALL -> "FunctionCall";
            case PARSE -> "Parse";
            case PASSWORD -> "PasswordMessage";
            case QUERY -> "Query";
            case SYNC -> "Sync";
            case TERMINATE -> "Terminate";
            default -> "of unknown type";
        };
    }
}
