package dev.trunkline.protocol.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.MessageCase;
import dev.trunkline.protocol.error.PgException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What is written is read back; what is no message is refused in one way only. */
class FrontendRoundTripTest {

    private static final List<MessageCase.Decoder> DECODERS = List.of(
            InitialMessage::decode,
            Query::decode,
            Parse::decode,
            Bind::decode,
            Describe::decode,
            Execute::decode,
            Close::decode,
            Flush::decode,
            Sync::decode,
            FunctionCall::decode,
            CopyData::decode,
            CopyDone::decode,
            CopyFail::decode,
            PasswordMessage::decode,
            SASLInitialResponse::decode,
            SASLResponse::decode,
            Terminate::decode);

    @Property
    void readsBackParse(@ForAll("texts") String name, @ForAll("texts") String sql, @ForAll int[] oids) {
        Parse parse = Parse.of(name, sql, oids);
        assertThat(readBack(parse, 5, Parse::decode)).isEqualTo(parse);
    }

    @Property
    void readsBackBind(
            @ForAll("texts") String portal,
            @ForAll("texts") String statement,
            @ForAll("values") List<Optional<byte[]>> values,
            @ForAll("formats") List<Integer> resultFormats) {
        List<Integer> formats =
                values.stream().map(value -> value.isPresent() ? 1 : 0).toList();
        List<byte[]> bytes = new ArrayList<>();
        values.forEach(value -> bytes.add(value.orElse(null)));
        Bind bind = (Bind) readBack(Bind.of(portal, statement, formats, bytes, resultFormats), 5, Bind::decode);
        assertThat(bind.portal()).isEqualTo(portal);
        assertThat(bind.statement()).isEqualTo(statement);
        assertThat(bind.parameterCount()).isEqualTo(values.size());
        for (int i = 0; i < values.size(); i++) {
            assertThat(bind.format(i)).isEqualTo(formats.get(i));
            assertThat(valueOf(bind, i)).isEqualTo(bytes.get(i));
        }
    }

    @Property
    void readsBackStartup(@ForAll("parameters") Map<String, String> parameters, @ForAll short minor) {
        StartupMessage startup = new StartupMessage(StartupMessage.VERSION_3_0 | (minor & 0xffff), parameters);
        assertThat(readBack(startup, 4, InitialMessage::decode)).isEqualTo(startup);
    }

    @Property(tries = 5_000)
    void neverFailsOtherThanByRefusal(@ForAll byte[] body) {
        for (MessageCase.Decoder decoder : DECODERS) {
            try {
                assertThat(decoder.decode(body, 0, body.length)).isNotNull();
            } catch (PgException refused) {
                assertThat(refused.state().code()).isIn("08P01", "0A000", "22021", "22023");
            }
        }
    }

    @Provide
    Arbitrary<String> texts() {
        // Half of a surrogate pair has no UTF-8: it becomes a question mark.
        return Arbitraries.strings()
                .excludeChars('\0')
                .ofMaxLength(40)
                .map(text -> ByteSlice.of(text).toString());
    }

    @Provide
    Arbitrary<List<Optional<byte[]>>> values() {
        return Arbitraries.bytes()
                .array(byte[].class)
                .ofMaxSize(30)
                .injectNull(0.2)
                .map(Optional::ofNullable)
                .list()
                .ofMaxSize(20);
    }

    @Provide
    Arbitrary<List<Integer>> formats() {
        return Arbitraries.integers().between(0, 1).list().ofMaxSize(5);
    }

    @Provide
    Arbitrary<Map<String, String>> parameters() {
        return Arbitraries.maps(texts().filter(name -> !name.isEmpty()), texts())
                .ofMaxSize(8);
    }

    private static byte[] valueOf(Bind bind, int index) {
        return bind.isNull(index)
                ? null
                : new ByteSlice(bind.bytes(), bind.offset(index), bind.length(index)).toByteArray();
    }

    private static Object readBack(FrontendMessage message, int headerBytes, MessageCase.Decoder decoder) {
        FrameWriter out = new FrameWriter();
        message.encode(out);
        return decoder.decode(out.array(), headerBytes, out.length() - headerBytes);
    }
}
