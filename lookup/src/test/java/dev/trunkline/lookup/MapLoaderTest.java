package dev.trunkline.lookup;

import static dev.trunkline.lookup.LoaderFixture.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.lookup.map.MapFault;
import dev.trunkline.lookup.source.SourceException;
import dev.trunkline.lookup.source.SourceException.Kind;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.KeyTranslation;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MapLoaderTest {

    private static LoaderFixture probing() {
        return new LoaderFixture(LookupMiss.PROBE).row("c", "p").row("p", "p");
    }

    private static LoaderFixture reloading() {
        return new LoaderFixture(LookupMiss.RELOAD).row("c", "p").row("p", "p");
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void oneLoadServesEverybodyOnAColdMap(LookupMiss miss) {
        LoaderFixture fixture = new LoaderFixture(miss).row("c", "p");
        Future<KeyTranslation> first = fixture.verify("c");
        fixture.source.theLoad().send().see();
        List<Future<KeyTranslation>> others = new ArrayList<>();
        for (int i = 0; i < 99; i++) {
            others.add(fixture.verify("c"));
        }
        fixture.source.theLoad().answer();

        assertThat(value(first, "c")).isEqualTo("p");
        assertThat(others).allSatisfy(other -> assertThat(value(other, "c")).isEqualTo("p"));
        assertThat(fixture.source.loadCount).isEqualTo(1);
        assertThat(fixture.source.probeCount).isZero();
        assertThat(fixture.hit("c")).isEqualTo("p");
    }

    @Test
    void aMissIsEndedOnlyByAProbeThatWasSentAfterIt() {
        LoaderFixture fixture = probing().loaded();
        Future<KeyTranslation> early = fixture.verify("new");
        FakeSource.Read probe = fixture.source.theProbe().send().see();
        fixture.row("new", "p");
        Future<KeyTranslation> late = fixture.verify("new");
        probe.answer();

        assertThat(early.cause()).isInstanceOf(PgException.class);
        assertThat(late.isComplete()).isFalse();
        fixture.timers.advance(11);
        fixture.source.theProbe().run();
        assertThat(value(late, "new")).isEqualTo("p");
        assertThat(fixture.hit("new")).isEqualTo("p");
    }

    @Test
    void aMissIsEndedOnlyByALoadThatWasSentAfterIt() {
        LoaderFixture fixture = reloading();
        Future<KeyTranslation> warm = fixture.verify("c");
        FakeSource.Read load = fixture.source.theLoad().send().see();
        fixture.row("new", "p");
        Future<KeyTranslation> late = fixture.verify("new");
        load.answer();

        assertThat(value(warm, "c")).isEqualTo("p");
        assertThat(late.isComplete()).isFalse();
        fixture.timers.advance(1001);
        fixture.source.theLoad().run();
        assertThat(value(late, "new")).isEqualTo("p");
    }

    @Test
    void unknownKeysWithinASecondCostTwoLoadsOrAHundredProbes() {
        LoaderFixture reloading = reloading().loaded();
        LoaderFixture probing = probing().loaded();
        List<Future<KeyTranslation>> answers = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            answers.add(reloading.verify("unknown" + i));
            answers.add(probing.verify("unknown" + i));
            reloading.timers.advance(1);
            probing.timers.advance(1);
            List.copyOf(reloading.source.reads).forEach(FakeSource.Read::run);
            List.copyOf(probing.source.reads).forEach(FakeSource.Read::run);
        }
        for (int i = 0; i < 1100; i++) {
            reloading.timers.advance(1);
            probing.timers.advance(1);
            List.copyOf(reloading.source.reads).forEach(FakeSource.Read::run);
            List.copyOf(probing.source.reads).forEach(FakeSource.Read::run);
        }

        assertThat(answers).allMatch(Future::failed);
        assertThat(reloading.source.loadCount).isLessThanOrEqualTo(3);
        assertThat(probing.source.probeCount).isLessThanOrEqualTo(101);
        assertThat(probing.source.loadCount).isEqualTo(1);
    }

    @Test
    void aStatementIsProbedInOneBatchAndAnsweredByOneSnapshot() {
        LoaderFixture fixture = probing().loaded();
        fixture.row("x", "p").row("y", "c");
        Future<KeyTranslation> answer = fixture.verify("c", "x", "y");
        assertThat(fixture.source.theProbe().keys).hasSize(3);
        fixture.source.theProbe().run();
        assertThat(value(answer, "c")).isEqualTo("p");
        assertThat(value(answer, "x")).isEqualTo("p");
        assertThat(value(answer, "y")).isEqualTo("c");
        assertThat(answer.result()).isSameAs(fixture.lookup.map().current());
    }

    @Test
    void aLongLoadDoesNotHoldUpStatementsThatCanBeProbed() {
        LoaderFixture fixture = probing();
        Future<KeyTranslation> answer = fixture.verify("c");
        fixture.source.theLoad().send().see();
        fixture.timers.advance(99);
        assertThat(fixture.source.probeCount).isZero();
        fixture.timers.advance(2);
        fixture.source.theProbe().run();

        assertThat(value(answer, "c")).isEqualTo("p");
        assertThat(fixture.lookup.map().current().isLoaded()).isFalse();
        assertThat(fixture.hit("c")).isEqualTo("p");
        fixture.source.theLoad().answer();
        assertThat(fixture.lookup.map().current().isLoaded()).isTrue();
    }

    @Test
    void aProbeThatWasSentBeforeTheLoadedMapAddsNothingToIt() {
        LoaderFixture fixture = probing();
        Future<KeyTranslation> answer = fixture.verify("c");
        FakeSource.Read load = fixture.source.theLoad();
        fixture.timers.advance(101);
        FakeSource.Read probe = fixture.source.theProbe().send().see();
        fixture.timers.advance(1);
        fixture.source.table.clear();
        fixture.row("p", "p");
        load.run();
        assertThat(answer.failed()).isTrue();
        probe.answer();

        assertThat(fixture.hit("p")).isEqualTo("p");
        assertThat(fixture.hit("c")).isNull();
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void aLoadThatAWriteOvertookAnswersWhoCameBeforeItAndNobodyElse(LookupMiss miss) {
        LoaderFixture fixture = new LoaderFixture(miss).row("c", "old");
        Future<KeyTranslation> before = fixture.verify("c");
        FakeSource.Read load = fixture.source.theLoad().send().see();
        LookupWrite write = fixture.write(false);
        write.commitSent();
        fixture.row("c", "new");
        write.committed();
        Future<KeyTranslation> after = fixture.verify("c");
        load.answer();

        assertThat(value(before, "c")).isEqualTo("old");
        assertThat(after.isComplete()).isFalse();
        assertThat(fixture.hit("c")).isNull();
        fixture.source.theLoad().run();
        assertThat(value(after, "c")).isEqualTo("new");
        assertThat(fixture.hit("c")).isEqualTo("new");
    }

    @Test
    void whileAChangeIsBeingCommittedEveryReadIsPrivate() {
        LoaderFixture fixture = probing().loaded();
        LookupWrite write = fixture.write(false);
        write.commitSent();
        assertThat(fixture.hit("c")).isNull();
        Future<KeyTranslation> during = fixture.verify("c");
        assertThat(fixture.source.loadCount).isEqualTo(1);
        fixture.source.theProbe().run();
        assertThat(value(during, "c")).isEqualTo("p");
        assertThat(fixture.hit("c")).isNull();
        fixture.row("c", "q");
        write.committed();
        Future<KeyTranslation> after = fixture.verify("c");
        fixture.source.theLoad().run();
        assertThat(value(after, "c")).isEqualTo("q");
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void nobodyIsToldNoRowWhileACommitThatMayBringItIsUnderWay(LookupMiss miss) {
        LoaderFixture fixture = new LoaderFixture(miss).row("c", "p").loaded();
        LookupWrite write = fixture.write(true);
        write.commitSent();
        Future<KeyTranslation> waiting = fixture.verify("new");
        fixture.timers.advance(1001);
        fixture.source.reads.get(0).run();
        assertThat(waiting.isComplete()).isFalse();
        fixture.timers.advance(1001);
        assertThat(fixture.source.reads).isEmpty();

        fixture.row("new", "p");
        write.committed();
        fixture.timers.advance(1);
        fixture.source.reads.get(0).run();
        assertThat(value(waiting, "new")).isEqualTo("p");
    }

    @Test
    void aCommitThatBeganAfterTheMissDoesNotDelayTheVerdict() {
        LoaderFixture fixture = probing().loaded();
        Future<KeyTranslation> miss = fixture.verify("new");
        fixture.write(true).commitSent();
        fixture.source.theProbe().run();
        assertThat(miss.cause()).isInstanceOf(PgException.class);
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void waitingIsBounded(LookupMiss miss) {
        LoaderFixture fixture = new LoaderFixture(miss).row("c", "p");
        Future<KeyTranslation> first = fixture.verify("c");
        fixture.timers.advance(3000);
        Future<KeyTranslation> second = fixture.verify("c");
        fixture.timers.advance(2000);
        assertThat(first.cause()).isInstanceOfSatisfying(PgException.class, e -> {
            assertThat(e.state().code()).isEqualTo("40001");
            assertThat(e.text()).startsWith("sharding key lookup failed: timed out");
        });
        assertThat(second.isComplete()).isFalse();
        fixture.timers.advance(3001);
        assertThat(second.failed()).isTrue();
    }

    @Test
    void aLoadOutlivesTheStatementsThatWaitedForIt() {
        LoaderFixture fixture = reloading();
        Future<KeyTranslation> impatient = fixture.verify("c");
        FakeSource.Read load = fixture.source.theLoad().send().see();
        fixture.timers.advance(20_000);
        assertThat(impatient.failed()).isTrue();
        load.answer();
        assertThat(fixture.hit("c")).isEqualTo("p");
        assertThat(fixture.source.loadCount).isEqualTo(1);
    }

    @Test
    void aFailureIsAnsweredForOneIntervalAndThenTriedAgain() {
        LoaderFixture fixture = reloading();
        Future<KeyTranslation> first = fixture.verify("c");
        fixture.source.theLoad().fail(new SourceException(Kind.UNREACHABLE, "gone", null));
        assertThat(first.failed()).isTrue();
        fixture.timers.advance(999);
        assertThat(fixture.verify("c").failed()).isTrue();
        assertThat(fixture.source.loadCount).isEqualTo(1);
        fixture.timers.advance(2);
        Future<KeyTranslation> later = fixture.verify("c");
        fixture.source.theLoad().run();
        assertThat(value(later, "c")).isEqualTo("p");
    }

    @Test
    void aConfirmedWriteEndsAFailureAtOnce() {
        LoaderFixture fixture = reloading();
        Future<KeyTranslation> first = fixture.verify("c");
        fixture.source.theLoad().fail(new SourceException(Kind.REFUSED, "no such column", null));
        assertThat(first.failed()).isTrue();
        LookupWrite repair = fixture.write(false);
        repair.commitSent();
        repair.committed();
        Future<KeyTranslation> next = fixture.verify("c");
        fixture.source.theLoad().run();
        assertThat(value(next, "c")).isEqualTo("p");
    }

    @Test
    void whoIsAnsweredByThePublishedMapDoesNotSufferFromAFailure() {
        LoaderFixture fixture = reloading().loaded();
        Future<KeyTranslation> unknown = fixture.verify("new");
        fixture.timers.advance(1001);
        fixture.source.theLoad().fail(new SourceException(Kind.REFUSED, "no", null));
        assertThat(unknown.failed()).isTrue();
        assertThat(fixture.hit("c")).isEqualTo("p");
        assertThat(value(fixture.verify("c"), "c")).isEqualTo("p");
    }

    @Test
    void aLoadThatIsHeldUpIsTriedAgainForThoseWhoWait() {
        LoaderFixture fixture = reloading();
        Future<KeyTranslation> waiting = fixture.verify("c");
        fixture.timers.advance(2500);
        fixture.source.theLoad().fail(new SourceException(Kind.BUSY, "locked", null));
        assertThat(waiting.isComplete()).isFalse();
        fixture.source.theLoad().run();
        assertThat(value(waiting, "c")).isEqualTo("p");
    }

    @Test
    void rowsThatAreNoMapAreNotWorkedAroundByProbes() {
        LoaderFixture fixture = probing();
        Future<KeyTranslation> first = fixture.verify("c");
        fixture.source.theLoad().send();
        fixture.source.theLoad().fail(MapFault.nullValue("secret"));
        assertThat(first.cause()).isInstanceOfSatisfying(PgException.class, e -> {
            assertThat(e.text()).doesNotContain("secret");
            assertThat(e.detail()).contains("NULL").contains("secret");
        });
        fixture.timers.advance(1001);
        Future<KeyTranslation> second = fixture.verify("c");
        fixture.timers.advance(2000);
        assertThat(fixture.source.probeCount).isZero();
        fixture.source.theLoad().run();
        assertThat(value(second, "c")).isEqualTo("p");
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"NOT_PROBEABLE", "BUSY", "REFUSED"})
    void whatCannotBeProbedIsLoaded(Kind why) {
        LoaderFixture fixture = probing().loaded();
        fixture.row("new", "p");
        Future<KeyTranslation> waiting = fixture.verify("new");
        fixture.source.theProbe().fail(new SourceException(why, "text", null));
        fixture.timers.advance(1001);
        fixture.source.theLoad().run();
        assertThat(value(waiting, "new")).isEqualTo("p");
    }

    @Test
    void reloadsAreSpacedByTwiceTheirDurationButLeaveTimeForTheNext() {
        LoaderFixture fixture = reloading();
        Future<KeyTranslation> cold = fixture.verify("c");
        fixture.timers.advance(1500);
        fixture.source.theLoad().run();
        assertThat(cold.succeeded()).isTrue();

        Future<KeyTranslation> miss = fixture.verify("new");
        fixture.timers.advance(2990);
        assertThat(fixture.source.reads).isEmpty();
        fixture.timers.advance(20);
        fixture.timers.advance(1900);
        fixture.row("new", "p");
        fixture.source.theLoad().run();
        assertThat(value(miss, "new")).isEqualTo("p");

        // 1.9 s of loading leave 3.1 s to wait, not 3.8.
        Future<KeyTranslation> next = fixture.verify("other");
        fixture.timers.advance(3101);
        assertThat(fixture.source.reads).hasSize(1);
        assertThat(next.isComplete()).isFalse();
    }

    @Test
    void manyFoundEntriesAreFoldedIntoTheBase() {
        LoaderFixture fixture = probing().loaded();
        for (int i = 0; i < 1100; i++) {
            fixture.row("k" + i, "p");
        }
        for (int i = 0; i < 1100; i += 100) {
            String[] keys = new String[100];
            for (int j = 0; j < 100; j++) {
                keys[j] = "k" + (i + j);
            }
            Future<KeyTranslation> answer = fixture.verify(keys);
            fixture.timers.advance(11);
            fixture.source.theProbe().run();
            assertThat(answer.succeeded()).isTrue();
        }
        assertThat(fixture.lookup.map().current().base().size()).isEqualTo(2 + 1100);
        assertThat(fixture.lookup.map().current().found().size()).isZero();
        assertThat(fixture.hit("k77")).isEqualTo("p");
    }

    @Test
    void closingFailsWhoWaits() {
        LoaderFixture fixture = probing();
        Future<KeyTranslation> waiting = fixture.verify("c");
        fixture.loader.close();
        assertThat(waiting.failed()).isTrue();
    }
}
