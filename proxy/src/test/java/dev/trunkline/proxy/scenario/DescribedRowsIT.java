package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.scenario.Tenants.Family;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rows have the columns that the client was told of, on whatever shards they come from. */
class DescribedRowsIT extends Scenario {

    private Family here;
    private Family there;

    @BeforeEach
    void fill() {
        here = tenants().family(0);
        there = tenants().family(1);
        try (WireClient client = proxy().login()) {
            for (Family family : new Family[] {here, there}) {
                client.parse("", "INSERT INTO orders VALUES ($1, 1, 'first')")
                        .bind("", "", family.child())
                        .execute("")
                        .sync();
                assertThat(client.answer().sqlState()).isNull();
            }
        }
    }

    @AfterEach
    void restore() {
        for (int shard = 0; shard < shards().count(); shard++) {
            shards().execute(shard, "ALTER TABLE orders DROP COLUMN IF EXISTS added");
        }
    }

    @Test
    @DisplayName("ps-cached-plan-result-type: over shards")
    void aStatementDescribedBeforeAChangeIsRefusedAfterIt() {
        String one = "SELECT * FROM orders WHERE tenant_id = $1";
        String all = "SELECT * FROM orders WHERE note = $1";
        try (WireClient client = proxy().login()) {
            client.parse("one", one)
                    .describeStatement("one")
                    .parse("all", all)
                    .describeStatement("all")
                    .sync();
            assertThat(client.answer().sqlState()).isNull();
            assertThat(run(client, "one", here.child()).rows()).hasSize(1);
            int rows = run(client, "all", "first").rows().size();
            assertThat(rows).isGreaterThanOrEqualTo(2);

            // Not everywhere yet: where nothing has changed rows are as they were.
            shards().execute(1, "ALTER TABLE orders ADD COLUMN added int DEFAULT 7");
            assertThat(run(client, "one", here.child()).rows()).hasSize(1);
            assertRefused(client, "one", there.child());
            assertRefused(client, "all", "first");

            shards().execute(0, "ALTER TABLE orders ADD COLUMN added int DEFAULT 7");
            shards().execute(2, "ALTER TABLE orders ADD COLUMN added int DEFAULT 7");
            assertRefused(client, "one", here.child());
            assertRefused(client, "one", there.child());
            assertRefused(client, "all", "first");

            client.bind("", "all", "first").describe("").execute("").sync();
            Answer told = client.answer();
            assertThat(told.sqlState()).isNull();
            assertThat(told.rows())
                    .hasSize(rows)
                    .allSatisfy(row -> assertThat(row).hasSize(4).endsWith("7"));
            assertThat(run(client, "all", "first").rows()).hasSize(rows);
            client.closeStatement("one").parse("one", one).sync();
            assertThat(client.answer().sqlState()).isNull();
            assertThat(run(client, "one", there.child()).rows().get(0)).hasSize(4);
        }
    }

    private static Answer run(WireClient client, String statement, String value) {
        return client.bind("", statement, value).execute("").sync().answer();
    }

    private static void assertRefused(WireClient client, String statement, String value) {
        for (int i = 0; i < 2; i++) {
            Answer answer = run(client, statement, value);
            assertThat(answer.sqlState()).isEqualTo("0A000");
            // Another shard may have answered before the error, in the columns that the client knows.
            assertThat(answer.rows()).allSatisfy(row -> assertThat(row).hasSize(3));
            assertThat(answer.status()).isEqualTo('I');
        }
    }
}
