package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.WireClient;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code set_config} sets with parameters holds on every shard, and as long as on one server. */
class SetConfigIT extends Scenario {

    private static final String VALUE = "it's \\me";

    private final List<String> tenants = new ArrayList<>();

    @BeforeEach
    void rowsOnEveryShard() {
        tenants.clear();
        for (int shard = 0; shard < 3; shard++) {
            String tenant = tenants().family(shard).child();
            client(Protocol.SIMPLE)
                    .run("INSERT INTO orders VALUES ('" + tenant + "', 1, 'x')")
                    .ok();
            tenants.add(tenant);
        }
    }

    /** What the setting is, as each shard sees it. */
    private List<String> seen(WireClient wire) {
        List<String> seen = new ArrayList<>();
        for (String tenant : tenants) {
            seen.add(wire.extended(
                            "SELECT coalesce(current_setting('app.who', true), '') FROM orders WHERE tenant_id = $1",
                            tenant)
                    .ok()
                    .value());
        }
        return seen;
    }

    private static Answer set(WireClient wire, String value, String local) {
        return wire.extended("SELECT set_config($1, $2::text, $3)", "app.who", value, local);
    }

    @Test
    void forTheSession() {
        WireClient wire = client(Protocol.EXTENDED).wire();
        assertThat(set(wire, VALUE, "f").ok().value()).isEqualTo(VALUE);
        assertThat(seen(wire)).containsExactly(VALUE, VALUE, VALUE);
        assertThat(seen(client(Protocol.EXTENDED).wire())).containsExactly("", "", "");
        wire.simple("BEGIN").ok();
        set(wire, "other", "false").ok();
        assertThat(seen(wire)).containsExactly("other", "other", "other");
        wire.simple("ROLLBACK").ok();
        assertThat(seen(wire)).containsExactly(VALUE, VALUE, VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "ROLLBACK"})
    void forTheTransaction(String end) {
        WireClient wire = client(Protocol.EXTENDED).wire();
        wire.simple("BEGIN").ok();
        // One shard is in the transaction before, one is the one that runs it, one comes later.
        wire.extended("SELECT 1 FROM orders WHERE tenant_id = $1", tenants.get(1))
                .ok();
        set(wire, VALUE, "t").ok();
        assertThat(seen(wire)).containsExactly(VALUE, VALUE, VALUE);
        wire.simple("SAVEPOINT s").ok();
        set(wire, "later", "t").ok();
        assertThat(seen(wire)).containsExactly("later", "later", "later");
        wire.simple("ROLLBACK TO s").ok();
        assertThat(seen(wire)).containsExactly(VALUE, VALUE, VALUE);
        wire.simple(end).ok();
        assertThat(seen(wire)).containsExactly("", "", "");
    }

    @Test
    void forThePipeline() {
        WireClient wire = client(Protocol.EXTENDED).wire();
        wire.parse("", "SELECT set_config('app.who', $1, true)")
                .bind("", "", VALUE)
                .execute("");
        wire.parse("", "SELECT current_setting('app.who', true) FROM orders WHERE tenant_id = $1");
        tenants.forEach(tenant -> wire.bind("", "", tenant).execute(""));
        Answer answer = wire.sync().answer().ok();
        assertThat(answer.rows()).containsExactly(List.of(VALUE), List.of(VALUE), List.of(VALUE), List.of(VALUE));
        assertThat(seen(wire)).containsExactly("", "", "");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void forThePipelineThatFails(boolean constant) {
        WireClient wire = client(Protocol.EXTENDED).wire();
        set(wire, "before", "f").ok();
        if (constant) {
            wire.parse("", "SELECT set_config('app.who', 'x', false)").bind("", "");
        } else {
            wire.parse("", "SELECT set_config('app.who', $1, false)").bind("", "", "x");
        }
        wire.execute("");
        wire.parse("", "SELECT 1/$1::int").bind("", "", 0).execute("").sync();
        assertThat(wire.answer().sqlState()).isEqualTo("22012");
        assertThat(seen(wire)).containsExactly("before", "before", "before");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT set_config('app.who', upper($1), true)",
                "SELECT set_config('app.who', upper($1), false)",
                "SELECT set_config('app.who', $1, true) FROM orders WHERE tenant_id = $1",
                "SELECT set_config('app.who', $1, NULL)"
            })
    void whatIsNotKnownIsRefused(String sql) {
        WireClient wire = client(Protocol.EXTENDED).wire();
        wire.simple("BEGIN").ok();
        assertThat(wire.extended(sql, tenants.get(0)).sqlState()).isEqualTo("0A000");
        wire.simple("ROLLBACK").ok();
        assertThat(seen(wire)).containsExactly("", "", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SET LOCAL app.who = 'x'", "PERFORM set_config('app.who', 'x', true)"})
    void whatABlockSetsForTheTransactionDoesNotStayOnOneShard(String inside) {
        WireClient wire = client(Protocol.SIMPLE).wire();
        wire.simple("BEGIN").ok();
        String state = wire.simple("DO $$BEGIN " + inside + "; END$$").sqlState();
        if (state == null) {
            assertThat(seen(wire)).containsExactly("x", "x", "x");
        } else {
            assertThat(state).isEqualTo("0A000");
        }
    }

    @Test
    void aRowLimitDoesNotMatter() {
        WireClient wire = client(Protocol.EXTENDED).wire();
        wire.parse("", "SELECT set_config('app.who', $1, false)")
                .bind("", "", VALUE)
                .execute("", 1)
                .sync();
        assertThat(wire.answer().ok().value()).isEqualTo(VALUE);
        assertThat(seen(wire)).containsExactly(VALUE, VALUE, VALUE);
    }

    /** What a server takes for other characters than the proxy would is told to no other server. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET app.who = 'M\u00fcller'",
                "SET LOCAL app.who = 'M\u00fcller'",
                "SELECT set_config('app.who', 'M\u00fcller', false)",
                "SELECT set_config('app.who', 'M\u00fcller', true)"
            })
    void aValueInAnotherEncodingIsRefused(String sql) {
        WireClient wire = client(Protocol.SIMPLE).wire();
        wire.simple(sql).ok();
        wire.simple("SET app.who = 'M\u00fcller'").ok();
        assertThat(wire.simple("SET client_encoding = 'LATIN1'").sqlState()).isEqualTo("0A000");
        wire.simple("SET client_encoding = 'utf-8'").ok();
        wire.simple("SET app.who = 'x'").ok();
        wire.simple("SET client_encoding = 'LATIN1'").ok();
        assertThat(wire.simple(sql).sqlState()).isEqualTo("0A000");
        assertThat(wire.extended("SELECT set_config('app.who', $1, false)", "M\u00fcller")
                        .sqlState())
                .isEqualTo("0A000");
        assertThat(seen(wire)).containsExactly("x", "x", "x");
    }
}
