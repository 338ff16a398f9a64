package dev.trunkline.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A map of many rows is loaded from a real server in time, and holds what it must not exceed; ten million rows with
 * {@code -Dscale=full}, which takes half a minute and a heap of 2 GB.
 */
@Shards(1)
class LargeMapIT {

    private static final boolean FULL = "full".equals(System.getProperty("scale"));
    private static final int ROWS = FULL ? 10_000_000 : 200_000;
    private static final int ROOTS = 1_000;
    private static final int KEY_BYTES = 36;
    private static final int MOST_BYTES_PER_ENTRY = 64;
    private static final long LONGEST_LOAD_MILLIS = FULL ? 20_000 : 10_000;

    private final PgShards shards;

    LargeMapIT(PgShards shards) {
        this.shards = shards;
    }

    @Test
    void isLoadedInTimeAndSmall() throws Exception {
        shards.execute(0, """
                CREATE UNLOGGED TABLE tenants AS
                    SELECT lpad(n::text, %d, 'tenant-') AS id, 'root ' || n %% %d AS parent_id
                    FROM generate_series(1, %d) AS n;
                GRANT SELECT ON tenants TO app
                """.formatted(KEY_BYTES, ROOTS, ROWS));
        LookupDefinition definition = LookupFixture.definition(KeyType.VARCHAR, "SELECT id, parent_id FROM tenants");
        LookupOptions options =
                new LookupOptions(Duration.ofSeconds(60), Duration.ofSeconds(1), LookupMiss.RELOAD, true, 1L << 31);
        try (LookupFixture fixture = LookupFixture.on(shards, options, definition)) {
            String last = "tenant-"
                            .repeat(6)
                            .substring(0, KEY_BYTES - Integer.toString(ROWS).length())
                    + ROWS;
            ShardingKey asked = ShardingKey.ofText(last);
            KeyTranslation loaded = fixture.verifyAsync(asked)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
            assertThat(asked.translatedBy(loaded)).hasToString("root " + ROWS % ROOTS);
            LookupStatus status = fixture.lookups().status().get(0);
            System.out.printf(
                    "LargeMapIT: %,d rows in %,d ms, %.1f bytes per entry and %d of its key%n",
                    status.entries(),
                    status.lastLoadMillis(),
                    (double) status.bytes() / status.entries() - KEY_BYTES,
                    KEY_BYTES);
            assertThat(status.entries()).isEqualTo(ROWS);
            assertThat(status.bytes() / ROWS - KEY_BYTES).isLessThanOrEqualTo(MOST_BYTES_PER_ENTRY);
            assertThat(status.lastLoadMillis()).isLessThan(LONGEST_LOAD_MILLIS);
            assertThat(fixture.hit(asked)).hasToString("root " + ROWS % ROOTS);
        }
    }
}
