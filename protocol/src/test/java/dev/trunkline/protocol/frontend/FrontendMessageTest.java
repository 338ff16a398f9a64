package dev.trunkline.protocol.frontend;

import static dev.trunkline.protocol.Bytes.bytes;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.MessageCase;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every message of the client: its bytes, and what becomes of them when they are cut or too many. */
class FrontendMessageTest {

    static Stream<MessageCase> messages() {
        return Stream.of(
                opening(
                        new StartupMessage(StartupMessage.VERSION_3_0, ordered("user", "app", "database", "prod")),
                        bytes(0, 0, 0, 32, 0, 3, 0, 0, "user\0app\0database\0prod\0\0")),
                opening(
                        new StartupMessage(StartupMessage.VERSION_3_2, ordered("user", "é")),
                        bytes(0, 0, 0, 17, 0, 3, 0, 2, "user\0é\0\0")),
                opening(new StartupMessage(StartupMessage.VERSION_3_0, Map.of()), bytes(0, 0, 0, 9, 0, 3, 0, 0, 0)),
                opening(new SslRequest(), bytes(0, 0, 0, 8, 4, 210, 22, 47)),
                opening(new GssEncRequest(), bytes(0, 0, 0, 8, 4, 210, 22, 48)),
                openEnded(
                        new CancelRequest(258, ByteSlice.of(new byte[] {1, 2, 3, 4, 5})),
                        bytes(0, 0, 0, 17, 4, 210, 22, 46, 0, 0, 1, 2, 1, 2, 3, 4, 5),
                        4,
                        InitialMessage::decode,
                        12),
                openEnded(
                        new CancelRequest(-1, ByteSlice.of(new byte[] {1, 2, 3, 4, 5, 6})),
                        bytes(0, 0, 0, 18, 4, 210, 22, 46, 255, 255, 255, 255, 1, 2, 3, 4, 5, 6),
                        4,
                        InitialMessage::decode,
                        12),
                closed(Query.of("SELECT 'é'"), bytes("Q", 0, 0, 0, 16, "SELECT 'é'", 0), Query::decode),
                closed(Query.of(""), bytes("Q", 0, 0, 0, 5, 0), Query::decode),
                closed(
                        Parse.of("s1", "SELECT $1", 23, 0x12345678),
                        bytes("P", 0, 0, 0, 27, "s1\0SELECT $1\0", 0, 2, 0, 0, 0, 23, 0x12, 0x34, 0x56, 0x78),
                        Parse::decode),
                closed(Parse.of("", ""), bytes("P", 0, 0, 0, 8, 0, 0, 0, 0), Parse::decode),
                closed(
                        Bind.of("p", "s", List.of(0, 1), Arrays.asList(bytes("7"), null), List.of(1)),
                        bytes(
                                "B", 0, 0, 0, 29, "p\0s\0", 0, 2, 0, 0, 0, 1, 0, 2, 0, 0, 0, 1, "7", 255, 255, 255, 255,
                                0, 1, 0, 1),
                        Bind::decode),
                closed(
                        Bind.of("", "", List.of(), List.of(), List.of()),
                        bytes("B", 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0),
                        Bind::decode),
                closed(new Describe(ObjectKind.STATEMENT, "s1"), bytes("D", 0, 0, 0, 8, "S", "s1\0"), Describe::decode),
                closed(new Describe(ObjectKind.PORTAL, ""), bytes("D", 0, 0, 0, 6, "P", 0), Describe::decode),
                closed(new Execute("c", 100), bytes("E", 0, 0, 0, 10, "c\0", 0, 0, 0, 100), Execute::decode),
                closed(new Close(ObjectKind.STATEMENT, "s"), bytes("C", 0, 0, 0, 7, "S", "s\0"), Close::decode),
                closed(new Flush(), bytes("H", 0, 0, 0, 4), Flush::decode),
                closed(new Sync(), bytes("S", 0, 0, 0, 4), Sync::decode),
                closed(new CopyDone(), bytes("c", 0, 0, 0, 4), CopyDone::decode),
                closed(new Terminate(), bytes("X", 0, 0, 0, 4), Terminate::decode),
                closed(new CopyFail("no"), bytes("f", 0, 0, 0, 7, "no\0"), CopyFail::decode),
                openEnded(
                        new CopyData(ByteSlice.of("1\t2\n")), bytes("d", 0, 0, 0, 8, "1\t2\n"), 5, CopyData::decode, 0),
                openEnded(
                        new FunctionCall(ByteSlice.of("opaque")),
                        bytes("F", 0, 0, 0, 10, "opaque"),
                        5,
                        FunctionCall::decode,
                        0),
                closed(new PasswordMessage("sécret"), bytes("p", 0, 0, 0, 12, "sécret", 0), PasswordMessage::decode),
                closed(
                        new SASLInitialResponse("SCRAM-SHA-256", ByteSlice.of("n,,n=,r=x")),
                        bytes("p", 0, 0, 0, 31, "SCRAM-SHA-256\0", 0, 0, 0, 9, "n,,n=,r=x"),
                        SASLInitialResponse::decode),
                closed(
                        new SASLInitialResponse("X", null),
                        bytes("p", 0, 0, 0, 10, "X\0", 255, 255, 255, 255),
                        SASLInitialResponse::decode),
                openEnded(
                        new SASLResponse(ByteSlice.of("c=biws")),
                        bytes("p", 0, 0, 0, 10, "c=biws"),
                        5,
                        SASLResponse::decode,
                        0));
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

    private static MessageCase opening(FrontendMessage message, byte[] frame) {
        return openEnded(message, frame, 4, InitialMessage::decode, frame.length - 4);
    }

    private static MessageCase closed(FrontendMessage message, byte[] frame, MessageCase.Decoder decoder) {
        return openEnded(message, frame, 5, decoder, frame.length - 5);
    }

    private static MessageCase openEnded(
            FrontendMessage message, byte[] frame, int headerBytes, MessageCase.Decoder decoder, int shortest) {
        return new MessageCase(message, message::encode, frame, headerBytes, decoder, shortest);
    }

    private static Map<String, String> ordered(String... namesAndValues) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            parameters.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return parameters;
    }
}
