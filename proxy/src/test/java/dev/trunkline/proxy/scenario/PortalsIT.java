package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.WireClient;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A portal stays what it was bound to, also the unnamed one, whatever the proxy sends its shard for other statements
 * between Bind and Execute.
 */
class PortalsIT extends Scenario {

    private static final String IDS = "SELECT id FROM orders WHERE tenant_id = $1 ORDER BY id";
    private static final String NEW_TENANT = "INSERT INTO tenants (id, parent_tenant_id) VALUES ('%s', '%s')";

    /** A tenant of a shard with the orders 10 and 11 times its number. */
    private String tenant(int shard) {
        String tenant = tenants().hashingElsewhere(shard);
        String parent = tenants().root(shard);
        WireClient wire = client(Protocol.SIMPLE).wire();
        wire.simple(NEW_TENANT.formatted(tenant, parent)).ok();
        wire.simple("INSERT INTO orders VALUES ('%1$s', %2$d), ('%1$s', %3$d)"
                        .formatted(tenant, 10 * (shard + 1), 11 * (shard + 1)))
                .ok();
        return tenant;
    }

    private static List<String> ids(int shard) {
        return List.of(String.valueOf(10 * (shard + 1)), String.valueOf(11 * (shard + 1)));
    }

    private static List<String> column(Answer answer) {
        return answer.ok().rows().stream()
                .map(row -> String.valueOf(row.get(0)))
                .toList();
    }

    /** What the transaction has written it reads on shard 0, where the unnamed portal waits. */
    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void anOwnReadLeavesTheUnnamedPortal(LookupMiss miss) {
        String here = tenant(0);
        WireClient wire = instance(miss).client(Protocol.SIMPLE).wire();
        for (int shard = 0; shard < 3; shard++) {
            String fresh = tenants().hashingElsewhere(shard);
            wire.simple("BEGIN").ok();
            wire.simple(NEW_TENANT.formatted(fresh, tenants().root(shard))).ok();
            wire.parse("one", IDS).parse("two", "SELECT count(*) FROM orders WHERE tenant_id = $1");
            wire.bind("", "one", here).bind("c", "two", fresh).execute("").execute("c");
            assertThat(column(wire.sync().answer())).containsExactly("10", "11", "0");
            // The same when each has a Sync of its own.
            wire.bind("", "one", here).describe("").sync().answer().ok();
            wire.bind("d", "two", fresh).sync().answer().ok();
            assertThat(column(wire.execute("").sync().answer())).isEqualTo(ids(0));
            assertThat(column(wire.execute("d").sync().answer())).containsExactly("0");
            wire.closeStatement("one").closeStatement("two").sync().answer().ok();
            wire.simple("ROLLBACK").ok();
        }
    }

    @Test
    void aStatementOverSeveralShardsLeavesTheUnnamedPortal() {
        WireClient wire = client(Protocol.SIMPLE).wire();
        for (int shard = 0; shard < 3; shard++) {
            String tenant = tenant(shard);
            wire.simple("BEGIN").ok();
            wire.parse("one", IDS).parse("all", "SELECT id FROM orders WHERE id = 999999");
            wire.bind("", "one", tenant).bind("c", "all").execute("c").execute("");
            assertThat(column(wire.sync().answer())).isEqualTo(ids(shard));
            wire.parse("mark", "SAVEPOINT s");
            wire.bind("", "one", tenant).bind("c", "mark").execute("c").execute("");
            assertThat(column(wire.sync().answer())).isEqualTo(ids(shard));
            wire.simple("ROLLBACK").ok();
            wire.closeStatement("one")
                    .closeStatement("all")
                    .closeStatement("mark")
                    .sync()
                    .answer()
                    .ok();
        }
    }

    /** Outside of a block as well: what is bound before the first Execute may belong to any number of shards. */
    @Test
    void portalsOfSeveralShardsWaitSideBySide() {
        WireClient wire = client(Protocol.SIMPLE).wire();
        String[] tenant = {tenant(0), tenant(1), tenant(2)};
        for (boolean block : new boolean[] {true, false}) {
            for (String first : new String[] {"", "a"}) {
                wire.parse("s", IDS);
                if (block) {
                    wire.simple("BEGIN").ok();
                }
                wire.bind(first, "s", tenant[0]).bind("b", "s", tenant[1]).bind("c", "s", tenant[2]);
                wire.execute("c").execute(first).execute("b");
                assertThat(column(wire.sync().answer()))
                        .as("block " + block + ", first portal '" + first + "'")
                        .containsExactly("30", "33", "10", "11", "20", "22");
                if (block) {
                    wire.simple("ROLLBACK").ok();
                }
                wire.closeStatement("s").sync().answer().ok();
            }
        }
    }

    /** It has begun, so it cannot begin anew; to give rows twice or of another portal would be wrong. */
    @Test
    void anUnnamedPortalThatHasBegunAndIsGoneIsRefused() {
        WireClient wire = client(Protocol.SIMPLE).wire();
        String tenant = tenant(1);
        wire.simple("BEGIN").ok();
        wire.parse("one", IDS).parse("all", "SELECT id FROM orders WHERE id = 999999");
        wire.bind("", "one", tenant)
                .execute("", 1)
                .bind("c", "all")
                .execute("c")
                .execute("", 0);
        Answer answer = wire.sync().answer();
        assertThat(answer.sqlState()).isEqualTo("0A000");
        wire.simple("ROLLBACK").ok();
    }

    /** What the transaction has written since the Bind it must not see. */
    @Test
    void anUnnamedPortalIsNotBoundAgainAfterAWrite() {
        WireClient wire = client(Protocol.SIMPLE).wire();
        String tenant = tenant(1);
        wire.simple("BEGIN").ok();
        wire.parse("one", IDS).parse("all", "UPDATE orders SET note = 'z' WHERE id > 0");
        wire.bind("", "one", tenant).bind("c", "all").execute("c").execute("");
        Answer answer = wire.sync().answer();
        assertThat(answer.sqlState()).isEqualTo("0A000");
        wire.simple("ROLLBACK").ok();
    }
}
