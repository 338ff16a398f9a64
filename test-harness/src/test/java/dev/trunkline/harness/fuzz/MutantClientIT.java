package dev.trunkline.harness.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.WireClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Mutants meet a real server: the one that is right by definition. */
@Shards(1)
class MutantClientIT {

    private static final int COUNT = 260;

    private final PgShards shards;
    private final MutantClient client;

    MutantClientIT(PgShards shards) {
        this.shards = shards;
        client = new MutantClient(shards.host(), shards.port(0), PgShards.APP, shards.database());
    }

    @Test
    void getsSoundAnswersAndLeavesOthersAlone() {
        shards.execute(0, "CREATE TABLE fuzzed (a int, b text)");
        List<Exchange> exchanges = new ArrayList<>(Exchanges.opening(PgShards.APP, shards.database()));
        exchanges.addAll(Exchanges.session());
        exchanges.addAll(Exchanges.copyIn("fuzzed", "1\tx\n", "2\ty\n"));
        Set<String> fatal = new TreeSet<>();
        try (WireClient other = WireClient.login(shards.host(), shards.port(0), PgShards.APP, shards.database())) {
            new Mutator(2026, exchanges).mutants(COUNT).forEach(mutant -> {
                MutantAnswer answer = client.send(mutant);
                answer.assertSound();
                if (answer.fatalState() != null) {
                    fatal.add(answer.fatalState());
                }
                other.query("SELECT 1").expect("T", "D 1", "C SELECT 1", "Z I");
            });
        }
        assertThat(fatal).contains("08P01", "0A000");
    }

    @Test
    void answersWhatWasNotChanged() {
        for (Exchange exchange : Exchanges.session()) {
            Mutant unchanged = new Mutant(exchange, Mutation.REORDER, 0, 0, exchange.bytes());
            MutantAnswer answer = client.send(unchanged);
            answer.assertSound();
            assertThat(answer.fatalState()).isNull();
            assertThat(answer.frames().get(answer.frames().size() - 1)).hasToString("Z I");
        }
    }
}
