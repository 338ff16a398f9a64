package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.wire.Answer;
import dev.trunkline.proxy.scenario.Tenants.Family;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Statements over several shards: what needs no merging works, everything else is refused, and the client lives on. */
class CrossShardIT extends Scenario {

    private final List<Family> families = new ArrayList<>();

    @BeforeAll
    void fill() {
        Client client = client(Protocol.SIMPLE);
        for (int shard = 0; shard < 3; shard++) {
            Family family = tenants().family(shard);
            families.add(family);
            client.run("INSERT INTO orders VALUES ($1, 1, 'first'), ($1, 2, 'second')", family.child())
                    .ok();
        }
        client.close();
    }

    // ---- reads

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void rowsOfAllShardsAreConcatenated(Protocol protocol) {
        Client client = client(protocol);
        Answer answer = client.run("SELECT tenant_id, id FROM orders WHERE note = $1", "first")
                .ok();
        assertThat(answer.sortedRows())
                .containsExactlyInAnyOrderElementsOf(
                        families.stream().map(family -> family.child() + "|1").toList());
        assertThat(answer.tags()).containsExactly("SELECT 3");
        assertThat(answer.frames().stream().filter(frame -> frame.type() == 'T').count())
                .isEqualTo(protocol == Protocol.PREPARED ? 0 : 1);
        assertThat(client.run("SELECT id FROM orders WHERE note = $1", "nobody's")
                        .ok()
                        .tags())
                .containsExactly("SELECT 0");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void whatWouldNeedMergingIsRefused(Protocol protocol) {
        Client client = client(protocol);
        for (String sql : List.of(
                "SELECT id FROM orders ORDER BY id",
                "SELECT id FROM orders LIMIT 1",
                "SELECT id FROM orders OFFSET 1",
                "SELECT id FROM orders FETCH FIRST 1 ROW ONLY",
                "SELECT DISTINCT note FROM orders",
                "SELECT count(*) FROM orders",
                "SELECT note, count(*) FROM orders GROUP BY note",
                "SELECT max(id) FROM orders HAVING max(id) > 1",
                "SELECT id, row_number() OVER () FROM orders",
                "SELECT id FROM orders UNION SELECT id FROM users",
                "SELECT o.id FROM orders o JOIN users u ON u.id = o.id",
                "SELECT * FROM (SELECT id FROM orders LIMIT 1) AS o",
                "SELECT id FROM orders WHERE id = (SELECT max(id) FROM users)",
                "SELECT * FROM orders FOR UPDATE SKIP LOCKED LIMIT 1")) {
            Answer answer = client.run(sql);
            assertThat(answer.sqlState()).as(sql).isEqualTo("0A000");
            assertThat(answer.field('H')).as(sql).isNotNull();
            assertThat(answer.rows()).as(sql).isEmpty();
            assertThat(answer.status()).isEqualTo('I');
        }
        assertThat(client.run("SELECT 1").ok().value()).isEqualTo("1");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void onOneShardTheSameStatementsRun(Protocol protocol) {
        Client client = client(protocol);
        String child = families.get(1).child();
        assertThat(client.run("SELECT id FROM orders WHERE tenant_id = $1 ORDER BY id DESC", child)
                        .ok()
                        .rows())
                .containsExactly(List.of("2"), List.of("1"));
        assertThat(client.run("SELECT count(*) FROM orders WHERE tenant_id = $1", child)
                        .ok()
                        .value())
                .isEqualTo("2");
        assertThat(client.run(
                                "SELECT note, max(id) FROM orders WHERE tenant_id = $1 GROUP BY note HAVING max(id) > 1"
                                        + " ORDER BY 1 LIMIT 5",
                                child)
                        .ok()
                        .rows())
                .containsExactly(List.of("second", "2"));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aRefusalInsideABlockFailsIt(Protocol protocol) {
        Client client = client(protocol);
        client.run("BEGIN").ok();
        client.run(
                        "UPDATE orders SET note = 'undone' WHERE tenant_id = $1",
                        families.get(0).child())
                .ok();
        Answer refused = client.run("SELECT count(*) FROM orders");
        assertThat(refused.sqlState()).isEqualTo("0A000");
        assertThat(refused.status()).isEqualTo('E');
        assertThat(client.run("SELECT 1").sqlState()).isEqualTo("25P02");
        client.run("ROLLBACK").ok();
        assertThat(counts("orders", "note = 'undone'")).containsOnly(0L);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void anErrorOfOneShardIsOneError(Protocol protocol) {
        Client client = client(protocol);
        // Division by zero on the shard of one family alone.
        Answer answer = client.run(
                "SELECT 1 / (CASE WHEN tenant_id = '" + families.get(2).child() + "' THEN 0 ELSE 1 END) FROM orders");
        assertThat(answer.sqlState()).isEqualTo("22012");
        assertThat(answer.frames().stream().filter(frame -> frame.type() == 'E').count())
                .isEqualTo(1);
        assertThat(answer.status()).isEqualTo('I');
        assertThat(client.run("SELECT 1").ok().value()).isEqualTo("1");
    }

    // ---- writes

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aWriteOverSeveralShardsIsOneWrite(Protocol protocol) {
        Client client = client(protocol);
        String note = "w" + protocol;
        assertThat(client.run("UPDATE users SET email = 'x' WHERE email = $1", note)
                        .ok()
                        .tags())
                .containsExactly("UPDATE 0");
        for (Family family : families) {
            client.run("INSERT INTO users VALUES ($1, 1, $2)", family.child(), note)
                    .ok();
        }
        assertThat(client.run("UPDATE users SET id = id + 1 WHERE email = $1", note)
                        .ok()
                        .tags())
                .containsExactly("UPDATE 3");
        assertThat(client.run(
                                "UPDATE users SET id = 7 / (CASE WHEN tenant_id = '"
                                        + families.get(1).child() + "' THEN 0 ELSE 1 END) WHERE email = $1",
                                note)
                        .sqlState())
                .isEqualTo("22012");
        assertThat(counts("users", "email = '" + note + "' AND id = 2")).containsOnly(1L);
        assertThat(client.run("DELETE FROM users WHERE email = $1 RETURNING tenant_id", note)
                        .ok()
                        .rows())
                .hasSize(3);
        assertThat(counts("users", "email = '" + note + "'")).containsOnly(0L);
    }

    /** The key decides where a row lies: it can be neither missing nor changed. */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void theKeyIsGivenAndStays(Protocol protocol) {
        Client client = client(protocol);
        String child = families.get(0).child();
        assertThat(client.run("INSERT INTO orders (id) VALUES (1)").sqlState()).isNotNull();
        assertThat(client.run("INSERT INTO orders DEFAULT VALUES").sqlState()).isNotNull();
        assertThat(client.run(
                                "UPDATE orders SET tenant_id = $1 WHERE tenant_id = $2",
                                families.get(1).child(),
                                child)
                        .sqlState())
                .isEqualTo("0A000");
        assertThat(counts("orders", "tenant_id = '" + child + "'").get(0)).isEqualTo(2);
        assertThat(client.run("SELECT 1").ok().value()).isEqualTo("1");
    }

    // ---- catalogs

    /**
     * Statements of the kind that psql sends for {@code \\dt}, {@code \\l} and {@code \\d orders}: the answer to one
     * names object identifiers that the next one asks for, and they differ from shard to shard.
     */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void catalogQueriesSeeOneShard(Protocol protocol) throws IOException {
        List<String> script = script("describe.sql");
        for (int client = 0; client < 4; client++) {
            describe(client(protocol), script);
        }
    }

    private static void describe(Client client, List<String> script) {
        String oid = "";
        for (String sql : script) {
            Answer answer = client.run(sql.replace(":oid", oid)).ok();
            Matcher named = Pattern.compile("relname OPERATOR\\(pg_catalog\\.~\\) '\\^\\((\\w+)\\)\\$'")
                    .matcher(sql);
            if (named.find()) {
                oid = Objects.requireNonNull(answer.rows().get(0).get(0));
            } else if (sql.contains("relchecks")) {
                assertThat(answer.rows()).as(sql).hasSize(1);
            } else if (sql.contains("FROM pg_catalog.pg_attribute a")) {
                assertThat(answer.rows().stream().map(row -> row.get(0))).contains("tenant_id", "id", "note");
            } else if (sql.contains("pg_catalog.pg_index i")) {
                assertThat(answer.rows().stream().map(row -> row.get(0))).contains("orders_pkey");
            } else if (sql.contains("pg_table_is_visible")) {
                assertThat(answer.rows().stream().map(row -> row.get(1))).contains("orders", "tenants", "users");
            }
        }
    }

    @Test
    void informationSchemaSeesOneShard() {
        Client client = client(Protocol.EXTENDED);
        assertThat(client.run(
                                "SELECT column_name FROM information_schema.columns WHERE table_name = $1 ORDER BY"
                                        + " ordinal_position",
                                "orders")
                        .ok()
                        .rows())
                .containsExactly(List.of("tenant_id"), List.of("id"), List.of("note"));
    }

    private static List<String> script(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(CrossShardIT.class.getResourceAsStream(name), name)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return List.of(text.strip().split(";\\s*\n"));
        }
    }
}
