package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.error.ProtocolErrors;

/** The types of messages that a server sends, and the lengths that the protocol allows them. */
public final class BackendType {

    public static final byte AUTHENTICATION = 'R';
    public static final byte BACKEND_KEY_DATA = 'K';
    public static final byte BIND_COMPLETE = '2';
    public static final byte CLOSE_COMPLETE = '3';
    public static final byte COMMAND_COMPLETE = 'C';
    public static final byte COPY_BOTH_RESPONSE = 'W';
    public static final byte COPY_DATA = 'd';
    public static final byte COPY_DONE = 'c';
    public static final byte COPY_IN_RESPONSE = 'G';
    public static final byte COPY_OUT_RESPONSE = 'H';
    public static final byte DATA_ROW = 'D';
    public static final byte EMPTY_QUERY_RESPONSE = 'I';
    public static final byte ERROR_RESPONSE = 'E';
    public static final byte FUNCTION_CALL_RESPONSE = 'V';
    public static final byte NEGOTIATE_PROTOCOL_VERSION = 'v';
    public static final byte NO_DATA = 'n';
    public static final byte NOTICE_RESPONSE = 'N';
    public static final byte NOTIFICATION_RESPONSE = 'A';
    public static final byte PARAMETER_DESCRIPTION = 't';
    public static final byte PARAMETER_STATUS = 'S';
    public static final byte PARSE_COMPLETE = '1';
    public static final byte PORTAL_SUSPENDED = 's';
    public static final byte READY_FOR_QUERY = 'Z';
    public static final byte ROW_DESCRIPTION = 'T';

    /** The answer of {@link #minBodyBytes(byte)} for a type that no server sends. */
    public static final int UNKNOWN = -1;

    /** The process ID and the longest secret key. */
    private static final int MAX_KEY_DATA_BYTES = 4 + 256;

    private BackendType() {}

    /** Whether a server may send the type at all. */
    public static boolean isKnown(byte type) {
        return minBodyBytes(type) != UNKNOWN;
    }

    /** Whether the type may come at any time, unasked: notices, notifications and changes of run-time parameters. */
    public static boolean isAsynchronous(byte type) {
        return type == NOTICE_RESPONSE || type == NOTIFICATION_RESPONSE || type == PARAMETER_STATUS;
    }

    /** The least length of the body; {@link #UNKNOWN} if no server sends the type. */
    public static int minBodyBytes(byte type) {
        return switch (type) {
            case BIND_COMPLETE,
                    CLOSE_COMPLETE,
                    COPY_DATA,
                    COPY_DONE,
                    EMPTY_QUERY_RESPONSE,
                    NO_DATA,
                    PARSE_COMPLETE,
                    PORTAL_SUSPENDED -> 0;
            case COMMAND_COMPLETE, ERROR_RESPONSE, NOTICE_RESPONSE, READY_FOR_QUERY -> 1;
            case DATA_ROW, PARAMETER_DESCRIPTION, PARAMETER_STATUS, ROW_DESCRIPTION -> 2;
            case COPY_BOTH_RESPONSE, COPY_IN_RESPONSE, COPY_OUT_RESPONSE -> 3;
            case AUTHENTICATION, FUNCTION_CALL_RESPONSE -> 4;
            case NOTIFICATION_RESPONSE -> 6;
            case BACKEND_KEY_DATA, NEGOTIATE_PROTOCOL_VERSION -> 8;
            default -> UNKNOWN;
        };
    }

    /** The greatest length of the body. */
    public static int maxBodyBytes(byte type) {
        return switch (type) {
            case BIND_COMPLETE,
                    CLOSE_COMPLETE,
                    COPY_DONE,
                    EMPTY_QUERY_RESPONSE,
                    NO_DATA,
                    PARSE_COMPLETE,
                    PORTAL_SUSPENDED -> 0;
            case READY_FOR_QUERY -> 1;
            case BACKEND_KEY_DATA -> MAX_KEY_DATA_BYTES;
            default -> Integer.MAX_VALUE;
        };
    }

    /**
     * The length of the body of a frame, from the length in its header.
     *
     * @param frameLength as on the wire: it counts its own four bytes
     * @throws dev.trunkline.protocol.error.PgException 08P01 FATAL if no server sends the type, or not of this length
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
            case AUTHENTICATION -> "Authentication";
            case BACKEND_KEY_DATA -> "BackendKeyData";
            case BIND_COMPLETE -> "BindComplete";
            case CLOSE_COMPLETE -> "CloseComplete";
            case COMMAND_COMPLETE -> "CommandComplete";
            case COPY_BOTH_RESPONSE -> "CopyBothResponse";
            case COPY_DATA -> "CopyData";
            case COPY_DONE -> "CopyDone";
            case COPY_IN_RESPONSE -> "CopyInResponse";
            case COPY_OUT_RESPONSE -> "CopyOutResponse";
            case DATA_ROW -> "DataRow";
            case EMPTY_QUERY_RESPONSE -> "EmptyQueryResponse";
            case ERROR_RESPONSE -> "ErrorResponse";
            case FUNCTION_CALL_RESPONSE -> "FunctionCallResponse";
            case NEGOTIATE_PROTOCOL_VERSION -> "NegotiateProtocolVersion";
            case NO_DATA -> "NoData";
            case NOTICE_RESPONSE -> "NoticeResponse";
            case NOTIFICATION_RESPONSE -> "NotificationResponse";
            case PARAMETER_DESCRIPTION -> "ParameterDescription";
            case PARAMETER_STATUS -> "ParameterStatus";
            case PARSE_COMPLETE -> "ParseComplete";
            case PORTAL_SUSPENDED -> "PortalSuspended";
            case READY_FOR_QUERY -> "ReadyForQuery";
            case ROW_DESCRIPTION -> "RowDescription";
            default -> "of unknown type";
        };
    }
}
