package dev.trunkline.protocol.backend;

import static dev.trunkline.protocol.Bytes.bytes;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.MessageCase;
import dev.trunkline.protocol.TransactionStatus;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every message of the server: its bytes, and what becomes of them when they are cut or too many. */
class BackendMessageTest {

    private static final ResponseFields FIELDS = new ResponseFields(List.of(
            new ResponseFields.Field((byte) 'S', ByteSlice.of("FEHLER")),
            new ResponseFields.Field((byte) 'V', ByteSlice.of("ERROR")),
            new ResponseFields.Field((byte) 'C', ByteSlice.of("42P01")),
            new ResponseFields.Field((byte) '?', ByteSlice.of(new byte[] {(byte) 0xe9}))));

    static Stream<MessageCase> messages() {
        return Stream.of(
                closed(new AuthenticationOk(), bytes("R", 0, 0, 0, 8, 0, 0, 0, 0), Authentication::decode),
                closed(
                        new AuthenticationCleartextPassword(),
                        bytes("R", 0, 0, 0, 8, 0, 0, 0, 3),
                        Authentication::decode),
                closed(
                        new AuthenticationMD5Password(ByteSlice.of("salt")),
                        bytes("R", 0, 0, 0, 12, 0, 0, 0, 5, "salt"),
                        Authentication::decode),
                closed(
                        new AuthenticationSASL(List.of("SCRAM-SHA-256-PLUS", "SCRAM-SHA-256")),
                        bytes("R", 0, 0, 0, 42, 0, 0, 0, 10, "SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0"),
                        Authentication::decode),
                openEnded(
                        new AuthenticationSASLContinue(ByteSlice.of("r=x")),
                        bytes("R", 0, 0, 0, 11, 0, 0, 0, 11, "r=x"),
                        Authentication::decode,
                        4),
                openEnded(
                        new AuthenticationSASLFinal(ByteSlice.of("v=x")),
                        bytes("R", 0, 0, 0, 11, 0, 0, 0, 12, "v=x"),
                        Authentication::decode,
                        4),
                openEnded(
                        new BackendKeyData(258, ByteSlice.of("key!!")),
                        bytes("K", 0, 0, 0, 13, 0, 0, 1, 2, "key!!"),
                        BackendKeyData::decode,
                        8),
                openEnded(
                        new BackendKeyData(-1, ByteSlice.of("longer")),
                        bytes("K", 0, 0, 0, 14, 255, 255, 255, 255, "longer"),
                        BackendKeyData::decode,
                        8),
                closed(new ParseComplete(), bytes("1", 0, 0, 0, 4), ParseComplete::decode),
                closed(new BindComplete(), bytes("2", 0, 0, 0, 4), BindComplete::decode),
                closed(new CloseComplete(), bytes("3", 0, 0, 0, 4), CloseComplete::decode),
                closed(new NoData(), bytes("n", 0, 0, 0, 4), NoData::decode),
                closed(new PortalSuspended(), bytes("s", 0, 0, 0, 4), PortalSuspended::decode),
                closed(new EmptyQueryResponse(), bytes("I", 0, 0, 0, 4), EmptyQueryResponse::decode),
                closed(
                        new ParameterStatus("TimeZone", "UTC"),
                        bytes("S", 0, 0, 0, 17, "TimeZone\0UTC\0"),
                        ParameterStatus::decode),
                closed(new ReadyForQuery(TransactionStatus.IDLE), bytes("Z", 0, 0, 0, 5, "I"), ReadyForQuery::decode),
                closed(
                        new ReadyForQuery(TransactionStatus.IN_TRANSACTION),
                        bytes("Z", 0, 0, 0, 5, "T"),
                        ReadyForQuery::decode),
                closed(new ReadyForQuery(TransactionStatus.FAILED), bytes("Z", 0, 0, 0, 5, "E"), ReadyForQuery::decode),
                closed(
                        new RowDescription(List.of(
                                new RowDescription.Field(ByteSlice.of("id"), 16384, 1, 23, 4, -1, 1),
                                RowDescription.Field.text("é"))),
                        bytes(
                                "T", 0, 0, 0, 48, 0, 2, "id\0", 0, 0, 0x40, 0, 0, 1, 0, 0, 0, 23, 0, 4, 255, 255, 255,
                                255, 0, 1, "é\0", 0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0),
                        RowDescription::decode),
                closed(new RowDescription(List.of()), bytes("T", 0, 0, 0, 6, 0, 0), RowDescription::decode),
                closed(
                        DataRow.of("42", null, ""),
                        bytes("D", 0, 0, 0, 20, 0, 3, 0, 0, 0, 2, "42", 255, 255, 255, 255, 0, 0, 0, 0),
                        DataRow::decode),
                closed(
                        new ParameterDescription(List.of(23, -1)),
                        bytes("t", 0, 0, 0, 14, 0, 2, 0, 0, 0, 23, 255, 255, 255, 255),
                        ParameterDescription::decode),
                closed(
                        new CommandComplete("INSERT 0 5"),
                        bytes("C", 0, 0, 0, 15, "INSERT 0 5\0"),
                        CommandComplete::decode),
                closed(
                        new ErrorResponse(FIELDS),
                        bytes("E", 0, 0, 0, 30, "SFEHLER\0VERROR\0C42P01\0?", 0xe9, 0, 0),
                        ErrorResponse::decode),
                closed(
                        new NoticeResponse(FIELDS),
                        bytes("N", 0, 0, 0, 30, "SFEHLER\0VERROR\0C42P01\0?", 0xe9, 0, 0),
                        NoticeResponse::decode),
                closed(
                        new NegotiateProtocolVersion(3 << 16, List.of("_pq_.x", "_pq_.y")),
                        bytes("v", 0, 0, 0, 26, 0, 3, 0, 0, 0, 0, 0, 2, "_pq_.x\0_pq_.y\0"),
                        NegotiateProtocolVersion::decode),
                closed(
                        new CopyInResponse(CopyShape.of(false, 2)),
                        bytes("G", 0, 0, 0, 11, 0, 0, 2, 0, 0, 0, 0),
                        CopyInResponse::decode),
                closed(
                        new CopyOutResponse(CopyShape.of(true, 1)),
                        bytes("H", 0, 0, 0, 9, 1, 0, 1, 0, 1),
                        CopyOutResponse::decode),
                closed(
                        new CopyBothResponse(new CopyShape(false, Arrays.asList(0, 1))),
                        bytes("W", 0, 0, 0, 11, 0, 0, 2, 0, 0, 0, 1),
                        CopyBothResponse::decode),
                closed(
                        new NotificationResponse(258, "channel", "pay"),
                        bytes("A", 0, 0, 0, 20, 0, 0, 1, 2, "channel\0pay\0"),
                        NotificationResponse::decode));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void encodesByteByByte(MessageCase message) {
        message.encodesExactly();
    }

    @ParameterizedTest
    @MethodSource("messages")
    void decodesFromTheMidstOfABuffer(MessageCase message) {
        message.decodesExactly();
    }

    @ParameterizedTest
    @MethodSource("messages")
    void refusesTheBodyCutAnywhere(MessageCase message) {
        message.refusesEveryTruncation();
    }

    @ParameterizedTest
    @MethodSource("messages")
    void refusesBytesBehindTheLastField(MessageCase message) {
        message.refusesTrailingBytes();
    }

    private static MessageCase closed(BackendMessage message, byte[] frame, MessageCase.Decoder decoder) {
        return openEnded(message, frame, decoder, frame.length - 5);
    }

    private static MessageCase openEnded(
            BackendMessage message, byte[] frame, MessageCase.Decoder decoder, int shortest) {
        return new MessageCase(message, message::encode, frame, 5, decoder, shortest);
    }
}
