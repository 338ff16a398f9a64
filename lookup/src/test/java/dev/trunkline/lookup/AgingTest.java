package dev.trunkline.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.lookup.source.SourceException;
import dev.trunkline.lookup.source.SourceException.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Under {@code lookup_max_age} nothing that was read longer ago than that is published. */
class AgingTest {

    private static LoaderFixture loaded() {
        return new LoaderFixture(LookupMiss.PROBE, Duration.ofSeconds(40))
                .row("c", "p")
                .loaded();
    }

    @Test
    void aMapIsReadAgainAtHalfOfItsAge() {
        LoaderFixture fixture = loaded();
        fixture.row("c", "q");
        fixture.timers.advance(19_000);
        assertThat(fixture.source.loadCount).isEqualTo(1);
        fixture.timers.advance(1_000);
        assertThat(fixture.hit("c")).isEqualTo("p");
        fixture.source.theLoad().run();
        assertThat(fixture.hit("c")).isEqualTo("q");
        assertThat(fixture.source.loadCount).isEqualTo(2);
    }

    @Test
    void aMapThatCannotBeReadAgainIsForgottenInTime() {
        LoaderFixture fixture = loaded();
        fixture.timers.advance(20_000);
        fixture.source.theLoad().fail(new SourceException(Kind.UNREACHABLE, "gone", null));
        assertThat(fixture.hit("c")).isEqualTo("p");
        fixture.timers.advance(10_000);
        assertThat(fixture.hit("c")).isNull();
    }

    @Test
    void entriesOfProbesDoNotOutliveTheMapTheyStandBeside() {
        LoaderFixture fixture = loaded();
        fixture.row("new", "p");
        var found = fixture.verify("new");
        fixture.source.theProbe().run();
        assertThat(found.succeeded()).isTrue();
        assertThat(fixture.hit("new")).isEqualTo("p");
        fixture.timers.advance(20_000);
        fixture.source.theLoad().fail(new SourceException(Kind.UNREACHABLE, "gone", null));
        fixture.timers.advance(10_000);
        assertThat(fixture.hit("new")).isNull();
    }

    @Test
    void aLoaderThatIsClosedLooksNoMore() {
        LoaderFixture fixture = loaded();
        fixture.loader.close();
        fixture.timers.advance(100_000);
        assertThat(fixture.source.loadCount).isEqualTo(1);
    }
}
