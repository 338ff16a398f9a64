package dev.trunkline.proxy.oneshard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.fuzz.Exchange;
import dev.trunkline.harness.fuzz.Exchanges;
import dev.trunkline.harness.fuzz.MutantAnswer;
import dev.trunkline.harness.fuzz.MutantClient;
import dev.trunkline.harness.fuzz.Mutator;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import dev.trunkline.proxy.fixture.WithProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Clients gone wrong at random, but repeatably: every answer is whole, others are served on the one server connection
 * meanwhile, and nothing stays behind. More of them with {@code -Dmutants=20000}, others with {@code -Dseed=…}.
 */
@Shards(1)
@WithProxy(general = {"rollback_timeout", "300", "checkout_timeout", "3000"})
class MutantsIT {

    private final PgShards shards;
    private final TestProxy proxy;

    MutantsIT(PgShards shards, TestProxy proxy) {
        this.shards = shards;
        this.proxy = proxy;
    }

    @Test
    void getSoundAnswersAndLeaveOthersAlone() {
        shards.execute(0, "CREATE TABLE fuzzed (a int, b text); GRANT ALL ON fuzzed TO PUBLIC");
        List<Exchange> exchanges = new ArrayList<>(Exchanges.opening(PgShards.APP, TestProxy.DATABASE));
        exchanges.addAll(Exchanges.session());
        exchanges.addAll(Exchanges.copyIn("fuzzed", "1\tx\n", "2\ty\n"));
        MutantClient mutants = new MutantClient(proxy.host(), proxy.port(), PgShards.APP, TestProxy.DATABASE);
        Set<String> fatal = new TreeSet<>();
        try (WireClient other = proxy.login()) {
            new Mutator(Long.getLong("seed", 2026), exchanges)
                    .mutants(Integer.getInteger("mutants", 260))
                    .forEach(mutant -> {
                        MutantAnswer answer = mutants.send(mutant);
                        answer.assertSound();
                        if (answer.fatalState() != null) {
                            fatal.add(answer.fatalState());
                        }
                        other.query("SELECT " + mutant.number())
                                .expect("T", "D " + mutant.number(), "C SELECT 1", "Z I");
                    });
        }
        assertThat(fatal).contains("08P01", "0A000").doesNotContain("XX000");
        TestProxy.await("nothing is left", () -> proxy.leftovers().isEmpty());
    }
}
