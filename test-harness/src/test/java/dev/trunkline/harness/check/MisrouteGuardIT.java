package dev.trunkline.harness.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.harness.pg.HarnessException;
import dev.trunkline.harness.pg.PgShards;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@Shards(3)
class MisrouteGuardIT {

    private static final String QUERY = "SELECT id, COALESCE(parent_id, id) FROM tenants -- comment";

    private static PgShards shards;
    private static MisrouteGuard guard;

    @BeforeAll
    static void create(PgShards given) {
        shards = given;
        guard = new MisrouteGuard(shards);
        shards.executeAll("""
                CREATE TABLE events (id int, note text);
                CREATE TABLE tenants (id varchar PRIMARY KEY, parent_id varchar);
                CREATE TABLE orders (tenant_id varchar, id int);
                INSERT INTO tenants VALUES ('root', NULL), ('child', 'root');
                """);
        guard.plain("events", "id", "bigint");
        guard.translated("orders", "tenant_id", "varchar", QUERY);
    }

    @Test
    void aPlainKeyBelongsToExactlyOneShard() {
        // satisfies_hash_partition over three: 0 lies on shard 2, 3 on shard 1, 4 on shard 0.
        for (int key : new int[] {0, 1, 2, 3, 4, 42, -1, 65535}) {
            assertThat(homes("INSERT INTO events VALUES (" + key + ")"))
                    .as("key %s", key)
                    .hasSize(1);
        }
        assertThat(homes("INSERT INTO events VALUES (3)")).containsExactly(1);
        assertThat(homes("INSERT INTO events VALUES (4)")).containsExactly(0);
        assertThat(homes("INSERT INTO events VALUES (NULL)")).containsExactly(0);
    }

    @Test
    void aTranslatedKeyBelongsWhereItsParentDoes() {
        List<Integer> parent = homes("INSERT INTO orders VALUES ('root', 1)");
        assertThat(parent).hasSize(1).isEqualTo(homes("INSERT INTO orders VALUES ('child', 2)"));
        assertThat(homes("INSERT INTO orders VALUES ('unknown', 3)")).isEmpty();
        assertThat(guard.strays("orders", "tenant_id", "varchar", QUERY)).containsExactly(0L, 0L, 0L);
        assertThatThrownBy(() -> shards.execute(
                        parent.get(0), "UPDATE orders SET tenant_id = 'unknown' WHERE tenant_id = 'root'"))
                .hasMessageContaining("is not for shard");
    }

    /** The shards that take the row. */
    private static List<Integer> homes(String insert) {
        return IntStream.range(0, 3)
                .filter(shard -> takes(shard, insert))
                .boxed()
                .toList();
    }

    private static boolean takes(int shard, String insert) {
        try {
            shards.execute(shard, insert);
            return true;
        } catch (HarnessException e) {
            assertThat(e).cause().hasFieldOrPropertyWithValue("SQLState", "23514");
            return false;
        }
    }
}
