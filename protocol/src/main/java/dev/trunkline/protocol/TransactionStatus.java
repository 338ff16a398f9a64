package dev.trunkline.protocol;

import dev.trunkline.protocol.error.ProtocolErrors;

/** What ReadyForQuery says of a session's transaction. */
public enum TransactionStatus {
    /** Not in a transaction block. */
    IDLE('I'),
    /** In a transaction block. */
    IN_TRANSACTION('T'),
    /** In a transaction block that failed: everything but its end is refused. */
    FAILED('E');

    private final byte code;

    TransactionStatus(char code) {
        this.code = (byte) code;
    }

    /** The byte on the wire. */
    public byte code() {
        return code;
    }

    /**
     * The status of the given byte.
     *
     * @throws dev.trunkline.protocol.error.PgException 08P01 FATAL if there is none
     */
    public static TransactionStatus of(byte code) {
        return switch (code) {
            case 'I' -> IDLE;
            case 'T' -> IN_TRANSACTION;
            case 'E' -> FAILED;
            default -> throw ProtocolErrors.malformedMessage("ReadyForQuery", "there is no transaction status " + code);
        };
    }
}
