package dev.trunkline.lookup;

import static dev.trunkline.lookup.LoaderFixture.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.KeyTranslation;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.junit.jupiter.api.Test;

class LookupWriteTest {

    private final LoaderFixture fixture =
            new LoaderFixture(LookupMiss.PROBE).row("c", "p").loaded();

    @Test
    void theMapLivesUntilTheCommitIsSentAndIsGoneBeforeTheClientIsTold() {
        LookupWrite write = fixture.write(false);
        assertThat(fixture.hit("c")).isEqualTo("p");
        write.commitSent();
        assertThat(fixture.hit("c")).isNull();
        assertThat(fixture.lookup.map().current().isOpen()).isFalse();
        long closed = fixture.lookup.map().current().generation();
        write.committed();
        assertThat(fixture.lookup.map().current().isOpen()).isTrue();
        assertThat(fixture.lookup.map().current().generation()).isGreaterThan(closed);
        assertThat(fixture.hit("c")).isNull();
    }

    @Test
    void aRollbackBeforeTheCommitCostsNothing() {
        MapState before = fixture.lookup.map().current();
        fixture.write(false).rolledBack();
        assertThat(fixture.lookup.map().current()).isSameAs(before);
        assertThat(fixture.lookup.gate().writers()).isZero();
    }

    @Test
    void afterARollbackWhatWasReadMeanwhileMayBePublished() {
        LookupWrite write = fixture.write(false);
        write.commitSent();
        Future<KeyTranslation> during = fixture.verify("c");
        FakeSource.Read probe = fixture.source.theProbe().send().see();
        write.rolledBack();
        probe.answer();
        assertThat(value(during, "c")).isEqualTo("p");
        assertThat(fixture.hit("c")).isEqualTo("p");
    }

    @Test
    void aSecondWriterKeepsTheMapClosed() {
        LookupWrite first = fixture.write(false);
        LookupWrite second = fixture.write(false);
        first.commitSent();
        second.commitSent();
        first.committed();
        assertThat(fixture.lookup.map().current().isOpen()).isFalse();
        second.rolledBack();
        assertThat(fixture.lookup.map().current().isOpen()).isTrue();
    }

    @Test
    void insertsKeepTheMapIfTheyMay() {
        LookupWrite write = fixture.write(true);
        write.commitSent();
        write.committed();
        assertThat(fixture.hit("c")).isEqualTo("p");

        LoaderFixture dropping =
                new LoaderFixture(LookupMiss.PROBE, false).row("c", "p").loaded();
        LookupWrite insert = dropping.write(true);
        insert.commitSent();
        assertThat(dropping.hit("c")).isEqualTo("p");
        insert.committed();
        assertThat(dropping.hit("c")).isNull();
    }

    @Test
    void oneChangeMakesAnInsertingTransactionAChangingOne() {
        LookupWrite write = fixture.write(true);
        write.widen(1, false);
        write.widen(1, true);
        write.commitSent();
        assertThat(fixture.hit("c")).isNull();
        write.committed();
    }

    @Test
    void anUnknownOutcomeInvalidatesEverySecondAndOnceMore() {
        LookupWrite write = fixture.write(false);
        write.commitSent();
        Promise<Void> settled = Promise.promise();
        write.unknown(settled.future());
        for (int second = 0; second < 3; second++) {
            Future<KeyTranslation> reader = fixture.verify("c");
            fixture.source.theLoad().run();
            assertThat(reader.succeeded()).isTrue();
            assertThat(fixture.hit("c")).isEqualTo("p");
            fixture.timers.advance(1000);
            assertThat(fixture.hit("c")).isNull();
        }
        Future<KeyTranslation> reader = fixture.verify("c");
        fixture.source.theLoad().run();
        assertThat(reader.succeeded()).isTrue();
        assertThat(fixture.lookup.gate().writers()).isEqualTo(1);
        settled.complete();
        assertThat(fixture.hit("c")).isNull();
        assertThat(fixture.lookup.gate().writers()).isZero();
        long generation = fixture.lookup.map().current().generation();
        fixture.timers.advance(5000);
        assertThat(fixture.lookup.map().current().generation()).isEqualTo(generation);
    }

    @Test
    void whileAnOutcomeIsUnknownNobodyIsToldNoRow() {
        LookupWrite write = fixture.write(true);
        write.commitSent();
        Promise<Void> settled = Promise.promise();
        write.unknown(settled.future());
        Future<KeyTranslation> miss = fixture.verify("new");
        fixture.source.theProbe().run();
        assertThat(miss.isComplete()).isFalse();
        fixture.row("new", "p");
        settled.complete();
        fixture.timers.advance(11);
        fixture.source.theProbe().run();
        assertThat(value(miss, "new")).isEqualTo("p");
    }

    @Test
    void aPausedLookupRefusesWritersAndCountsNone() {
        fixture.lookup.gate().pause();
        assertThatThrownBy(() -> fixture.write(false)).isInstanceOfSatisfying(PgException.class, e -> {
            assertThat(e.state().code()).isEqualTo("55P03");
            assertThat(e.text()).isEqualTo("writes to lookup table \"tenants\" are paused");
        });
        assertThat(fixture.lookup.gate().writers()).isZero();
        fixture.lookup.gate().resume();
        fixture.write(false).rolledBack();
    }

    @Test
    void whoWroteBeforeThePauseMayGoOn() {
        LookupWrite write = fixture.write(true);
        fixture.lookup.gate().pause();
        write.widen(1, false);
        write.commitSent();
        write.committed();
        assertThat(fixture.lookup.gate().writers()).isZero();
    }

    @Test
    void afterTheEndNothingMoreIsAccepted() {
        LookupWrite write = fixture.write(false);
        write.commitSent();
        assertThatThrownBy(() -> write.widen(1, false)).isInstanceOf(IllegalStateException.class);
        write.committed();
        assertThatThrownBy(write::committed).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(write::rolledBack).isInstanceOf(IllegalStateException.class);
    }
}
