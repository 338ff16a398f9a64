package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.fault.FakeServer;
import dev.trunkline.harness.fault.FakeSession;
import dev.trunkline.harness.fuzz.Exchange;
import dev.trunkline.harness.fuzz.Exchanges;
import dev.trunkline.harness.fuzz.Mutant;
import dev.trunkline.harness.fuzz.Mutator;
import dev.trunkline.harness.wire.Backend;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.FrameBody;
import dev.trunkline.harness.wire.Notation;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Servers gone wrong at random, but repeatably: every client is answered or sent away, the next one gets its own answer
 * and nobody else's, and nothing stays behind. How many: {@link Mutants}.
 */
@Shards(1)
class MutantServersIT {

    /** One server in so many stays when it has given its wrong answer, the others hang up. */
    private static final int STAYS = 50;

    private static final int MOST_LATE = 20;

    /** Statements are numbers of mutants. */
    private static void serve(FakeSession session, Mutator mutator) {
        session.login();
        int asked = -1;
        for (Frame frame = session.read(); frame.type() != 'X'; frame = session.read()) {
            FrameBody body = frame.reader();
            switch (frame.type()) {
                case 'Q' -> {
                    String text = body.string();
                    if (text.equals("fine")) {
                        session.send(Backend.commandComplete("FINE"), Backend.readyForQuery('I'));
                    } else if (!answers(session, mutator.mutant(Integer.parseInt(text)))) {
                        return;
                    }
                }
                case 'P' -> {
                    var unused = body.string();
                    asked = Integer.parseInt(body.string());
                }
                case 'S' -> {
                    if (!answers(session, mutator.mutant(asked))) {
                        return;
                    }
                }
                default -> {}
            }
        }
    }

    /** Whether the server stays. */
    private static boolean answers(FakeSession session, Mutant mutant) {
        session.sendRaw(mutant.bytes());
        return mutant.number() % STAYS == 0;
    }

    private static void run(List<Exchange> exchanges, boolean batch) {
        Mutator mutator = new Mutator(Mutants.seed(), exchanges);
        Queue<Place> places = new ConcurrentLinkedQueue<>();
        try {
            Mutants.each(mutator, 2, () -> {
                Place place = new Place(mutator);
                places.add(place);
                return mutant -> place.meet(mutant, batch);
            });
            places.forEach(place -> TestProxy.await(
                    "nothing is left", () -> place.proxy.leftovers().isEmpty()));
        } finally {
            places.forEach(Place::close);
        }
    }

    /** A server and its proxy for one thread: what a mutant leaves behind meets its own next client and no other. */
    private static final class Place implements AutoCloseable {
        private final FakeServer server;
        private final TestProxy proxy;

        Place(Mutator mutator) {
            server = FakeServer.start(session -> serve(session, mutator));
            proxy = TestProxy.over(server.port(), "fake")
                    .user("pool_size", 1)
                    .general("query_timeout", 60)
                    .general("rollback_timeout", 60)
                    .start();
        }

        void meet(Mutant mutant, boolean batch) {
            try (WireClient client = proxy.login()) {
                ask(client, batch, mutant);
            }
            askInVain(proxy, mutant);
        }

        @Override
        public void close() {
            proxy.close();
            server.close();
        }
    }

    private static void ask(WireClient client, boolean batch, Mutant mutant) {
        if (batch) {
            client.parse("", String.valueOf(mutant.number()))
                    .bind("", "")
                    .describe("")
                    .execute("")
                    .closePortal("")
                    .sync();
        } else {
            client.query(String.valueOf(mutant.number()));
        }
        // Up to ReadyForQuery, or up to the end: to be left without either is what must not be.
        for (Frame frame = next(client, mutant); frame != null && frame.type() != 'Z'; frame = next(client, mutant)) {
            assertThat("123ACDEGHINSTVcdnst").as(mutant.toString()).contains(String.valueOf(frame.type()));
            if (frame.type() == 'E') {
                assertNoBug(mutant, frame);
            }
        }
    }

    /** A row that is longer than its server has said is passed on as it comes, and ends with the connection. */
    private static @Nullable Frame next(WireClient client, Mutant mutant) {
        try {
            return client.readOrEnd();
        } catch (AssertionError e) {
            if (String.valueOf(e.getMessage()).contains("silence")) {
                throw new AssertionError(mutant + " " + Arrays.toString(mutant.bytes()), e);
            }
            return null;
        }
    }

    private static void assertNoBug(Mutant mutant, Frame error) {
        String text = Notation.of(error);
        assertThat(text).as(mutant.toString()).doesNotContain("XX000 internal error");
    }

    /** What the server has said beyond its answer may yet cost the connection, and the one statement on it. */
    private static void askInVain(TestProxy proxy, Mutant mutant) {
        // A machine with too much to do may need longer than the limit, which says nothing of the proxy.
        int late = 0;
        for (int attempt = 0; attempt < 3 + late; attempt++) {
            try (WireClient next = proxy.login()) {
                List<String> answer = answer(next, mutant);
                if (answer.equals(List.of("C FINE", "Z I"))) {
                    return;
                }
                if (late < MOST_LATE && !answer.isEmpty() && answer.get(0).startsWith("E 57014")) {
                    late++;
                } else if (!goesOnBehindItsEnd(mutant.bytes())) {
                    assertThat(answer)
                            .as(mutant.toString())
                            .hasSize(2)
                            .first()
                            .asString()
                            .startsWith("E 08");
                }
            }
        }
        throw new AssertionError(mutant + ": the next client is not served");
    }

    /**
     * What the next client hears. What a server says behind its ReadyForQuery may come when the next statement is under
     * way: nobody can tell then that it is no answer to that.
     */
    private static List<String> answer(WireClient next, Mutant mutant) {
        try {
            // A notice and its like may come at any time, also one that was meant for the client before.
            return next.simple("fine").frames().stream()
                    .filter(frame -> "NAS".indexOf(frame.type()) < 0)
                    .map(Notation::of)
                    .toList();
        } catch (AssertionError e) {
            if (goesOnBehindItsEnd(mutant.bytes())) {
                return List.of();
            }
            throw e;
        }
    }

    private static boolean goesOnBehindItsEnd(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.remaining() > Integer.BYTES) {
            byte type = buffer.get();
            int length = buffer.getInt();
            if (type == 'Z') {
                return buffer.remaining() > 1;
            }
            if (length < Integer.BYTES || length - Integer.BYTES > buffer.remaining()) {
                return false;
            }
            buffer.position(buffer.position() + length - Integer.BYTES);
        }
        return false;
    }

    @Test
    void theirAnswersToQueriesEndInAnAnswerForTheirClientAlone() {
        run(Exchanges.answersToQuery(), false);
    }

    @Test
    void theirAnswersToBatchesEndInAnAnswerForTheirClientAlone() {
        run(Exchanges.answersToBatch(), true);
    }

    @Test
    void whatServersAnswerHasEveryType() {
        Map<Boolean, List<Exchange>> all = Map.of(true, Exchanges.answersToBatch(), false, Exchanges.answersToQuery());
        String types = all.values().stream()
                .flatMap(List::stream)
                .flatMap(exchange -> exchange.frames().stream())
                .map(frame -> String.valueOf(frame.type()))
                .distinct()
                .sorted()
                .reduce("", String::concat);
        assertThat(types).isEqualTo("123ACDEHINSTZcdns");
    }
}
