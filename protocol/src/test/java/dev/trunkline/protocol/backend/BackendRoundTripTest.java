package dev.trunkline.protocol.backend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.MessageCase;
import dev.trunkline.protocol.error.PgException;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What is written is read back; what is no message is refused in one way only. */
class BackendRoundTripTest {

    private static final List<MessageCase.Decoder> DECODERS = List.of(
            Authentication::decode,
            BackendKeyData::decode,
            BindComplete::decode,
            CommandComplete::decode,
            CopyInResponse::decode,
            DataRow::decode,
            ErrorResponse::decode,
            NegotiateProtocolVersion::decode,
            NoticeResponse::decode,
            NotificationResponse::decode,
            ParameterDescription::decode,
            ParameterStatus::decode,
            ReadyForQuery::decode,
            RowDescription::decode);

    @Property
    void readsBackRowDescription(@ForAll("fields") List<RowDescription.Field> fields) {
        RowDescription message = new RowDescription(fields);
        assertThat(readBack(message, RowDescription::decode)).isEqualTo(message);
    }

    @Property
    void readsBackDataRow(@ForAll("values") List<ByteSlice> values) {
        DataRow message = new DataRow(values);
        assertThat(readBack(message, DataRow::decode)).isEqualTo(message);
    }

    @Property
    void writesBackErrorFieldsAsTheyCame(@ForAll("responseFields") List<ResponseFields.Field> fields) {
        ErrorResponse message = new ErrorResponse(new ResponseFields(fields));
        assertThat(readBack(message, ErrorResponse::decode)).isEqualTo(message);
    }

    @Property(tries = 5_000)
    void neverFailsOtherThanByRefusal(@ForAll byte[] body) {
        for (MessageCase.Decoder decoder : DECODERS) {
            try {
                assertThat(decoder.decode(body, 0, body.length)).isNotNull();
            } catch (PgException refused) {
                assertThat(refused.state().code()).isIn("08P01", "0A000", "22021");
            }
        }
    }

    @Provide
    Arbitrary<List<RowDescription.Field>> fields() {
        Arbitrary<Integer> int32 = Arbitraries.integers();
        Arbitrary<Integer> int16 = Arbitraries.integers().between(Short.MIN_VALUE, Short.MAX_VALUE);
        return Combinators.combine(text(), int32, int16, int32, int16, int32, int16)
                .as(RowDescription.Field::new)
                .list()
                .ofMaxSize(20);
    }

    @Provide
    Arbitrary<List<ByteSlice>> values() {
        return Arbitraries.bytes()
                .array(byte[].class)
                .ofMaxSize(30)
                .map(ByteSlice::of)
                .injectNull(0.2)
                .list()
                .ofMaxSize(20)
                .map(ArrayList::new);
    }

    @Provide
    Arbitrary<List<ResponseFields.Field>> responseFields() {
        return Combinators.combine(Arbitraries.bytes().filter(letter -> letter != 0), text())
                .as(ResponseFields.Field::new)
                .list()
                .ofMaxSize(20);
    }

    private static Arbitrary<ByteSlice> text() {
        return Arbitraries.bytes()
                .filter(code -> code != 0)
                .array(byte[].class)
                .ofMaxSize(30)
                .map(ByteSlice::of);
    }

    private static Object readBack(BackendMessage message, MessageCase.Decoder decoder) {
        FrameWriter out = new FrameWriter();
        message.encode(out);
        return decoder.decode(out.array(), 5, out.length() - 5);
    }
}
