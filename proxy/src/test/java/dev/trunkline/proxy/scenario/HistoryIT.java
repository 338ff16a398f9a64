package dev.trunkline.proxy.scenario;

import dev.trunkline.conf.LookupMiss;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random work through two proxies of this JVM. */
class HistoryIT extends HistoryScenario {

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void everyAnswerIsExplainedBySomeMomentBetweenCallAndReturn(LookupMiss changes) throws Exception {
        explained(changes);
    }
}
