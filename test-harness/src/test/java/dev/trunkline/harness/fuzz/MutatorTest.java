package dev.trunkline.harness.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.frontend.Bind;
import dev.trunkline.protocol.frontend.Close;
import dev.trunkline.protocol.frontend.CopyData;
import dev.trunkline.protocol.frontend.CopyDone;
import dev.trunkline.protocol.frontend.CopyFail;
import dev.trunkline.protocol.frontend.Describe;
import dev.trunkline.protocol.frontend.Execute;
import dev.trunkline.protocol.frontend.Flush;
import dev.trunkline.protocol.frontend.FrontendMessage;
import dev.trunkline.protocol.frontend.FrontendType;
import dev.trunkline.protocol.frontend.FunctionCall;
import dev.trunkline.protocol.frontend.InitialMessage;
import dev.trunkline.protocol.frontend.Parse;
import dev.trunkline.protocol.frontend.PasswordMessage;
import dev.trunkline.protocol.frontend.Query;
import dev.trunkline.protocol.frontend.StartupMessage;
import dev.trunkline.protocol.frontend.Sync;
import dev.trunkline.protocol.frontend.Terminate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MutatorTest {

    private static final int COUNT = 5_000;

    private final List<Exchange> exchanges = new ArrayList<>();

    MutatorTest() {
        exchanges.addAll(Exchanges.opening("app", "db"));
        exchanges.addAll(Exchanges.session());
        exchanges.addAll(Exchanges.copyIn("t", "1\tx\n", "2\ty\n"));
    }

    @Test
    void makesTheSameMutantsOfTheSameSeed() {
        Mutator first = new Mutator(7, exchanges);
        Mutator second = new Mutator(7, exchanges);
        for (int number = COUNT; number >= 0; number--) {
            assertThat(first.mutant(number).bytes())
                    .containsExactly(second.mutant(number).bytes());
        }
    }

    @Test
    void makesOtherMutantsOfOtherSeeds() {
        Map<Boolean, Long> same = new Mutator(1, exchanges)
                .mutants(COUNT)
                .collect(Collectors.partitioningBy(
                        mutant -> Arrays.equals(
                                mutant.bytes(),
                                new Mutator(1 << 20, exchanges)
                                        .mutant(mutant.number())
                                        .bytes()),
                        Collectors.counting()));
        assertThat(same.get(true)).isLessThan(COUNT / 20);
    }

    @Test
    void usesEveryMutationOnEveryExchangeAndNearlyAlwaysChangesSomething() {
        List<Mutant> mutants = new Mutator(3, exchanges).mutants(COUNT).toList();
        Map<Mutation, Long> mutations =
                mutants.stream().collect(Collectors.groupingBy(Mutant::mutation, Collectors.counting()));
        assertThat(mutations).hasSize(Mutation.values().length);
        assertThat(mutants.stream().map(Mutant::exchange).distinct()).hasSameSizeAs(exchanges);
        long unchanged = mutants.stream()
                .filter(mutant ->
                        Arrays.equals(mutant.bytes(), mutant.exchange().bytes()))
                .count();
        assertThat(unchanged).isLessThan(COUNT / 20);
    }

    @Test
    void namesWhatMakesAMutantAgain() {
        assertThat(new Mutator(3, exchanges).mutant(1)).asString().startsWith("mutant 1 of seed 3 (");
    }

    @Test
    void refusesExchangesOfWhichThereIsNothingToChange() {
        Exchange sync = new Exchange("sync", false, List.of(Frontend.sync()));
        assertThatIllegalArgumentException().isThrownBy(() -> new Mutator(1, List.of(sync)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Mutator(1, List.of()));
    }

    /** The exchanges themselves pass the product's decoders, and no mutant makes them fail other than by refusal. */
    @Test
    void meetsDecodersThatOnlyEverRefuse() {
        exchanges.forEach(exchange -> assertThat(decode(exchange.bytes(), exchange.opensConnection()))
                .as(exchange.name())
                .hasSameSizeAs(exchange.frames()));
        Mutator mutator = new Mutator(11, exchanges);
        int refused = 0;
        for (int number = 0; number < COUNT; number++) {
            Mutant mutant = mutator.mutant(number);
            try {
                assertThat(decode(mutant.bytes(), mutant.opensConnection())).isNotNull();
            } catch (PgException e) {
                assertThat(e.state().code()).as(mutant.toString()).isIn("08P01", "0A000", "22021", "22023");
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(COUNT / 3);
    }

    /** The messages up to the end of the bytes, or up to a frame that ends beyond it. */
    private static List<FrontendMessage> decode(byte[] bytes, boolean opensConnection) {
        List<FrontendMessage> messages = new ArrayList<>();
        boolean isOpening = opensConnection;
        int offset = 0;
        while (offset < bytes.length) {
            int header = isOpening ? Frame.LENGTH_BYTES : Frame.HEADER_BYTES;
            if (bytes.length - offset < header) {
                break;
            }
            int frameLength = Frame.int32(bytes, offset + header - Frame.LENGTH_BYTES);
            int body = isOpening
                    ? InitialMessage.bodyBytes(frameLength)
                    : FrontendType.bodyBytes(bytes[offset], frameLength);
            if (body > bytes.length - offset - header) {
                break;
            }
            FrontendMessage message = isOpening
                    ? InitialMessage.decode(bytes, offset + header, body)
                    : decoder(bytes[offset]).decode(bytes, offset + header, body);
            messages.add(message);
            isOpening = isOpening && !(message instanceof StartupMessage);
            offset += header + body;
        }
        return messages;
    }

    private interface Decoder {
        FrontendMessage decode(byte[] buffer, int offset, int length);
    }

    private static Decoder decoder(byte type) {
        return switch (type) {
            case FrontendType.BIND -> Bind::decode;
            case FrontendType.CLOSE -> Close::decode;
            case FrontendType.COPY_DATA -> CopyData::decode;
            case FrontendType.COPY_DONE -> CopyDone::decode;
            case FrontendType.COPY_FAIL -> CopyFail::decode;
            case FrontendType.DESCRIBE -> Describe::decode;
            case FrontendType.EXECUTE -> Execute::decode;
            case FrontendType.FLUSH -> Flush::decode;
            case FrontendType.FUNCTION_CALL -> FunctionCall::decode;
            case FrontendType.PARSE -> Parse::decode;
            case FrontendType.PASSWORD -> PasswordMessage::decode;
            case FrontendType.QUERY -> Query::decode;
            case FrontendType.SYNC -> Sync::decode;
            case FrontendType.TERMINATE -> Terminate::decode;
            default -> throw new IllegalStateException("a known type without decoder: " + type);
        };
    }
}
