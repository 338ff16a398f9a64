package dev.trunkline.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One key, one table, writers, readers, loads and probes, all cut into steps that run in random order on one thread.
 * The rule: a reader sees a version that was current at some moment between its start and its end, where a version is
 * current from its commit on shard 0 at the earliest and is gone for good when a later writer has been told "done"; and
 * a reader that starts after another one has ended sees nothing older; nor is it told that a row is missing which has
 * been committed on any shard.
 */
class LookupProtocolTest {

    private static final ShardingKey KEY = ShardingKey.ofText("k");
    private static final int STEPS = 120;

    @ParameterizedTest
    @CsvSource({"PROBE,false", "PROBE,true", "RELOAD,false", "RELOAD,true"})
    void noReaderEverSeesWhatWasNotCurrentOrGoesBack(LookupMiss miss, boolean insertsOnly) {
        long seed = System.nanoTime();
        int seen = 0;
        for (int run = 0; run < 3000; run++) {
            Run world = new Run(miss, insertsOnly, seed + run);
            try {
                world.play();
                seen += world.answers;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + (seed + run) + "\n" + String.join("\n", world.log), e);
            }
        }
        assertThat(seen).isGreaterThan(3000);
    }

    /** One random history. */
    private static final class Run {

        final List<String> log = new ArrayList<>();
        int answers;
        private final SplittableRandom random;
        private final boolean insertsOnly;
        private final LoaderFixture fixture;
        private final List<Writer> writers = new ArrayList<>();
        private final List<Reader> readers = new ArrayList<>();
        /** The version committed on shard 0; 0 = no row. Versions are numbered in the order of commit. */
        private int version;
        /** The newest version whose writer has been told "done": nothing older may be seen by who starts now. */
        private int told;
        /** A row has been committed somewhere: who has seen it there must not be told that it is missing. */
        private boolean thereOnSomeShard;
        /** The newest version that a reader has ended with. */
        private int read;

        Run(LookupMiss miss, boolean insertsOnly, long seed) {
            random = new SplittableRandom(seed);
            this.insertsOnly = insertsOnly;
            fixture = new LoaderFixture(miss).row("other", "x");
        }

        void play() {
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(10)) {
                    case 0 -> startWriter();
                    case 1, 2 -> stepWriter();
                    case 3, 4 -> startReader();
                    case 5, 6, 7, 8 -> stepRead();
                    default -> fixture.timers.advance(random.nextInt(120));
                }
            }
            finish();
        }

        private void startWriter() {
            boolean rowIsThere = version > 0 || writers.stream().anyMatch(writer -> writer.inserts);
            if (writers.size() < 2 && !(insertsOnly && rowIsThere)) {
                writers.add(new Writer());
            }
        }

        private void stepWriter() {
            if (!writers.isEmpty()) {
                writers.get(random.nextInt(writers.size())).step();
            }
        }

        private void startReader() {
            if (readers.size() < 4) {
                new Reader().start();
            }
        }

        private void stepRead() {
            List<FakeSource.Read> reads = fixture.source.reads;
            if (!reads.isEmpty()) {
                log.add("step a read");
                reads.get(random.nextInt(reads.size())).step();
            }
        }

        private void finish() {
            while (!writers.isEmpty()) {
                stepWriter();
            }
            for (int i = 0; i < 60 && !readers.isEmpty(); i++) {
                stepRead();
                stepRead();
                stepRead();
                fixture.timers.advance(60);
            }
            assertThat(readers).as("readers that starve").isEmpty();
        }

        private final class Writer {
            private final boolean inserts = insertsOnly;
            private final boolean rollsBack = random.nextInt(4) == 0;
            private final LookupWrite write = fixture.write(inserts);
            private int state;
            private int written;

            void step() {
                state++;
                switch (state) {
                    case 1 -> {
                        log.add("commit sent");
                        write.commitSent();
                    }
                    case 2 -> {
                        if (!rollsBack) {
                            log.add("shard 1 commits");
                            thereOnSomeShard = true;
                        }
                    }
                    case 3 -> {
                        if (!rollsBack) {
                            version++;
                            written = version;
                            fixture.row("k", Integer.toString(version));
                            log.add("shard 0 commits " + version);
                        }
                    }
                    default -> end();
                }
            }

            private void end() {
                writers.remove(this);
                if (rollsBack) {
                    log.add("rolled back");
                    write.rolledBack();
                } else {
                    write.committed();
                    told = Math.max(told, written);
                    log.add("told " + written);
                }
            }
        }

        private final class Reader {
            private final int atLeast = Math.max(thereOnSomeShard ? 1 : 0, Math.max(told, read));

            void start() {
                log.add("reader starts, at least " + atLeast);
                readers.add(this);
                KeyTranslation published = fixture.lookup.map().current();
                if (KEY.translatedBy(published) != null) {
                    end(Future.succeededFuture(published));
                } else {
                    fixture.verify("k").onComplete(answer -> end((Future<KeyTranslation>) answer));
                }
            }

            private void end(Future<KeyTranslation> answer) {
                readers.remove(this);
                answers++;
                int seen = answer.succeeded()
                        ? Integer.parseInt(KEY.translatedBy(answer.result()).toString())
                        : absent((PgException) answer.cause());
                log.add("reader ends with " + seen);
                assertThat(seen).isBetween(atLeast, version);
                read = Math.max(read, seen);
            }

            private int absent(PgException refusal) {
                assertThat(refusal.detail()).startsWith("The lookup query returns no row");
                return 0;
            }
        }
    }
}
