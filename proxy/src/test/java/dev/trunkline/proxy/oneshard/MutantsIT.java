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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/**
 * Clients gone wrong at random, but repeatably: every answer is whole, others are served on the same server connections
 * meanwhile, and nothing stays behind. How many: {@link Mutants}.
 */
@Shards(1)
@WithProxy(
        poolSize = 2,
        general = {"rollback_timeout", "300", "checkout_timeout", "8000"})
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
        Set<String> fatal = ConcurrentHashMap.newKeySet();
        List<WireClient> others = new CopyOnWriteArrayList<>();
        MutantClient mutants = new MutantClient(proxy.host(), proxy.port(), PgShards.APP, TestProxy.DATABASE);
        Mutants.each(new Mutator(Mutants.seed(), exchanges), 1, () -> {
            WireClient other = proxy.login();
            others.add(other);
            return mutant -> {
                MutantAnswer answer = mutants.send(mutant);
                answer.assertSound();
                if (answer.fatalState() != null) {
                    fatal.add(answer.fatalState());
                }
                other.query("SELECT " + mutant.number()).expect("T", "D " + mutant.number(), "C SELECT 1", "Z I");
            };
        });
        others.forEach(WireClient::close);
        assertThat(fatal).contains("08P01", "0A000").doesNotContain("XX000");
        TestProxy.await("nothing is left", () -> proxy.leftovers().isEmpty());
    }
}
