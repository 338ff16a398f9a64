package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.proxy.scenario.Tenants.Family;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A statement runs where the translated value of its key belongs. The shards themselves reject a row that is not theirs,
 * so a write that arrives is a write that was routed right; reads are compared with what lies on the shards.
 */
class TranslationIT extends Scenario {

    @Override
    Map<String, Object> settings(LookupMiss miss) {
        Map<String, Object> settings = new HashMap<>(super.settings(miss));
        settings.put("copy_binary_lookup", "error");
        return settings;
    }

    private static final String UNMAPPED = "40001";

    /** The second value decides where they run; the first one makes no difference, or stands beside it in an IN list. */
    private static final List<String> STATEMENTS_OF_TWO_VALUES = List.of(
            "SELECT * FROM orders WHERE tenant_id = $2 AND note <> $1",
            "INSERT INTO orders (note, tenant_id, id) VALUES ($1, $2, 77)",
            "UPDATE orders SET note = $1 WHERE tenant_id = $2",
            "DELETE FROM orders WHERE note = $1 AND tenant_id = $2",
            "SELECT * FROM orders WHERE tenant_id IN ($1, $2)",
            "DELETE FROM orders WHERE tenant_id IN ($1, $2)");

    // ---- one family, one shard

    @EveryWay
    void childAndParentLiveTogether(Way way) {
        Client client = client(way);
        for (int shard = 0; shard < 3; shard++) {
            Family family = tenants().family(shard);
            String condition = "tenant_id IN ('%s', '%s')".formatted(family.parent(), family.child());

            client.run("INSERT INTO orders (tenant_id, id, note) VALUES ($1, $2, $3)", family.child(), 1L, "child's")
                    .ok();
            client.run("INSERT INTO orders (tenant_id, id, note) VALUES ($1, $2, $3)", family.parent(), 2L, "parent's")
                    .ok();

            assertThat(counts("orders", condition)).isEqualTo(onlyOn(shard, 2));
            assertThat(client.run(
                                    "SELECT id, note FROM orders WHERE tenant_id IN ($1, $2)",
                                    family.parent(),
                                    family.child())
                            .ok()
                            .sortedRows())
                    .containsExactly("1|child's", "2|parent's");
            assertThat(client.run("UPDATE orders SET note = $1 WHERE tenant_id = $2", "changed", family.child())
                            .ok()
                            .tags())
                    .containsExactly("UPDATE 1");
            assertThat(client.run("DELETE FROM orders WHERE tenant_id = $1 AND note = $2", family.child(), "changed")
                            .ok()
                            .tags())
                    .containsExactly("DELETE 1");
            assertThat(counts("orders", condition)).isEqualTo(onlyOn(shard, 1));
        }
    }

    @EveryWay
    void joinsWithinAFamilyAreRoutedByTheTranslatedKey(Way way) {
        Client client = client(way);
        Family family = tenants().family(1);
        client.run("INSERT INTO orders VALUES ($1, 7, 'n')", family.child()).ok();
        client.run("INSERT INTO users VALUES ($1, 7, 'e')", family.child()).ok();

        assertThat(client.run(
                                "SELECT o.note, u.email, t.parent_tenant_id FROM orders o"
                                        + " JOIN users u ON u.tenant_id = o.tenant_id AND u.id = o.id"
                                        + " JOIN tenants t ON t.id = o.tenant_id WHERE o.tenant_id = $1",
                                family.child())
                        .ok()
                        .sortedRows())
                .containsExactly("n|e|" + family.parent());
    }

    // ---- no row

    /** The tables are locked on every shard: a statement that touched one would not be answered. */
    @EveryWay
    void aValueWithoutARowTouchesNoShard(Way way) {
        Client client = client(way);
        Family known = tenants().family(0);
        String unknown = tenants().hashingTo(1);
        List<Answer> answers = new ArrayList<>();
        // A statement is parsed once where its table can be read; only its execution is in question.
        STATEMENTS_OF_TWO_VALUES.forEach(
                sql -> client.run(sql, known.child(), known.parent()).ok());
        List<Hold> holds = lockEverywhere("orders");
        try {
            STATEMENTS_OF_TWO_VALUES.forEach(sql -> answers.add(client.run(sql, known.child(), unknown)));
        } finally {
            holds.forEach(Hold::close);
        }

        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.sqlState()).isEqualTo(UNMAPPED);
            assertThat(answer.field('S')).isEqualTo("ERROR");
            assertThat(answer.message())
                    .startsWith("sharding key lookup failed:")
                    .contains("\"tenants\"")
                    .contains("\"tenant_id\"")
                    .doesNotContain(unknown);
            assertThat(detail(answer)).contains("\"" + unknown + "\"").doesNotContain(known.child());
            assertThat(answer.field('t')).isEqualTo("tenants");
            assertThat(answer.field('c')).isEqualTo("tenant_id");
            assertThat(answer.status()).isEqualTo('I');
        });
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", known.child()).ok();
    }

    @EveryWay
    void aValueWithoutARowFailsItsTransactionBlock(Way way) {
        Client client = client(way);
        Family known = tenants().family(2);
        client.run("BEGIN").ok();
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", known.child()).ok();

        Answer failed = client.run(
                "SELECT * FROM orders WHERE tenant_id = $1", tenants().hashingTo(1));
        assertThat(failed.sqlState()).isEqualTo(UNMAPPED);
        assertThat(failed.status()).isEqualTo('E');
        assertThat(client.run("SELECT 1").sqlState()).isEqualTo("25P02");
        assertThat(client.run("COMMIT").ok().tags()).containsExactly("ROLLBACK");
        assertThat(counts("orders", "tenant_id = '" + known.child() + "'")).containsOnly(0L);
    }

    /** lk-exists-when-missing: a query that must return a row is refused as well. */
    @EveryWay
    void lkExistsWhenMissing(Way way) {
        Client client = client(way);
        String unknown = tenants().hashingTo(0);
        assertThat(client.run("SELECT EXISTS(SELECT 1 FROM orders WHERE tenant_id = $1)", unknown)
                        .sqlState())
                .isEqualTo(UNMAPPED);
        assertThat(client.run("SELECT count(*) FROM orders WHERE tenant_id = $1", unknown)
                        .sqlState())
                .isEqualTo(UNMAPPED);
        String known = tenants().root(0);
        assertThat(client.run("SELECT EXISTS(SELECT 1 FROM orders WHERE tenant_id = $1)", known)
                        .ok()
                        .value())
                .isEqualTo("f");
        assertThat(client.run("SELECT count(*) FROM orders WHERE tenant_id = $1", known)
                        .ok()
                        .value())
                .isEqualTo("0");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void binaryCopyIntoATranslatedTableIsRefusedBeforeAnyRow(Protocol protocol) {
        Client client = client(protocol);
        Answer answer = client.run("COPY orders FROM STDIN (FORMAT binary)");
        assertThat(answer.sqlState()).isEqualTo("0A000");
        assertThat(answer.status()).isEqualTo('I');
        assertThat(client.run("SELECT 1").ok().value()).isEqualTo("1");
    }

    private List<Hold> lockEverywhere(String table) {
        List<Hold> holds = new ArrayList<>();
        for (int shard = 0; shard < shards().count(); shard++) {
            holds.add(Hold.table(shards(), shard, table));
        }
        return holds;
    }

    // ---- several values

    /** lk-in-list-translation: IN, ANY and OR go to the distinct shards of their translated values, no more. */
    @EveryWay
    void lkInListTranslation(Way way) {
        Client client = client(way);
        Family one = tenants().family(0);
        Family two = tenants().family(1);
        Family absent = tenants().family(2);
        for (Family family : List.of(one, two, absent)) {
            client.run("INSERT INTO orders VALUES ($1, 1, 'a')", family.child()).ok();
            client.run("INSERT INTO orders VALUES ($1, 2, 'b')", family.parent())
                    .ok();
        }
        // The shard that has no part in it does not answer while its table is locked.
        try (Hold hold = Hold.table(shards(), absent.shard(), "orders")) {
            assertThat(client.run(
                                    "SELECT tenant_id, id FROM orders WHERE tenant_id IN ($1, $2, $3)",
                                    one.child(),
                                    two.child(),
                                    one.parent())
                            .ok()
                            .sortedRows())
                    .containsExactlyInAnyOrder(one.child() + "|1", two.child() + "|1", one.parent() + "|2");
            assertThat(client.run("SELECT tenant_id, id FROM orders WHERE tenant_id = ANY($1)", (Object)
                                    new String[] {one.child(), two.parent(), null})
                            .ok()
                            .sortedRows())
                    .containsExactlyInAnyOrder(one.child() + "|1", two.parent() + "|2");
            assertThat(client.run(
                                    "SELECT tenant_id FROM orders WHERE (tenant_id = $1 AND id = 1) OR (tenant_id = $2"
                                            + " AND id = 2)",
                                    one.child(),
                                    two.parent())
                            .ok()
                            .sortedRows())
                    .containsExactlyInAnyOrder(one.child(), two.parent());
            assertThat(client.run("UPDATE orders SET note = 'c' WHERE tenant_id IN ($1, $2)", one.child(), two.child())
                            .ok()
                            .tags())
                    .containsExactly("UPDATE 2");
            hold.release();
        }
        assertThat(client.run(
                                "DELETE FROM orders WHERE tenant_id IN ($1, $2, $3)",
                                one.child(),
                                two.child(),
                                absent.child())
                        .ok()
                        .tags())
                .containsExactly("DELETE 3");
    }

    @EveryWay
    void twoChildrenOfOneParentNeedOneShard(Way way) {
        Client client = client(way);
        Family family = tenants().family(2);
        String sibling = tenants().hashingElsewhere(2);
        tenants().add(sibling, family.parent());
        client.run("INSERT INTO orders VALUES ($1, 1, 'a'), ($2, 2, 'b')", family.child(), sibling)
                .ok();
        // Merged over shards this would be refused; on one it needs no merging.
        assertThat(client.run(
                                "SELECT id FROM orders WHERE tenant_id IN ($1, $2) ORDER BY id DESC LIMIT 1",
                                family.child(),
                                sibling)
                        .ok()
                        .value())
                .isEqualTo("2");
    }

    @EveryWay
    void nullMatchesNothingAndIsNotInserted(Way way) {
        Client client = client(way);
        assertThat(client.run("SELECT * FROM orders WHERE tenant_id = $1", (Object) null)
                        .ok()
                        .rows())
                .isEmpty();
        assertThat(client.run("INSERT INTO orders VALUES ($1, 1, 'x')", (Object) null)
                        .sqlState())
                .isEqualTo("22004");
    }

    // ---- spellings of one key

    /** lk-type-text-vs-number: on a bigint rule all spellings and widths of a number are one key. */
    @EveryWay
    void numbersAreOneKeyHoweverTheyAreWritten(Way way) {
        Client client = client(way);
        long id = 7 + 100 * way.ordinal();
        long root = 1000 + way.ordinal();
        backdoor().execute("INSERT INTO accounts VALUES (%d, %d), (%d, %d)".formatted(id, root, root, root));
        List<Object> spellings = new ArrayList<>(List.of(id, (int) id, (short) id, root));
        if (way.protocol() != Protocol.BINARY) {
            spellings.addAll(List.of("" + id, "00" + id, " +" + id + " "));
        }
        for (Object spelling : spellings) {
            assertThat(client.run("INSERT INTO ledger VALUES ($1, 1)", spelling)
                            .ok()
                            .tags())
                    .containsExactly("INSERT 0 1");
        }
        assertThat(client.run("SELECT account_id FROM ledger WHERE account_id IN ($1, $2)", id, root)
                        .ok()
                        .rows())
                .hasSize(spellings.size());
        assertThat(counts("ledger", "account_id IN (%d, %d)".formatted(id, root)))
                .containsOnlyOnce((long) spellings.size());
    }

    @EveryWay
    void textsThatLookLikeOneNumberAreDifferentKeys(Way way) {
        Client client = client(way);
        String stem = "" + (7000 + way.ordinal());
        List<String> spellings = List.of(stem, "0" + stem, "00" + stem, "+" + stem, " " + stem);
        for (int i = 0; i < spellings.size(); i++) {
            String root = tenants().root(i % 3);
            tenants().add(spellings.get(i), root);
        }
        for (String spelling : spellings) {
            client.run("INSERT INTO orders VALUES ($1, 1, 'x')", spelling).ok();
            assertThat(client.run("SELECT tenant_id FROM orders WHERE tenant_id = $1", spelling)
                            .ok()
                            .value())
                    .isEqualTo(spelling);
        }
        assertThat(client.run("SELECT 1 FROM orders WHERE tenant_id = $1", "000" + stem)
                        .sqlState())
                .isEqualTo(UNMAPPED);
    }

    @EveryWay
    void uuidsAreOneKeyHoweverTheyAreWritten(Way way) {
        Client client = client(way);
        UUID device = new UUID(0xA0EEBC999C0B4EF8L, 0xBB6D6BB9BD380A00L + way.ordinal());
        UUID owner = new UUID(0x550E8400E29B41D4L, 0xA716446655440000L + way.ordinal());
        backdoor().execute("INSERT INTO devices VALUES ('%s', '%s')".formatted(device, owner));
        List<Object> spellings = new ArrayList<>(List.of(device));
        if (way.protocol() != Protocol.BINARY) {
            String text = device.toString();
            spellings.addAll(
                    List.of(text.toUpperCase(java.util.Locale.ROOT), "{" + text + "}", text.replace("-", ""), text));
        }
        for (Object spelling : spellings) {
            client.run("INSERT INTO readings VALUES ($1, 20)", spelling).ok();
        }
        assertThat(client.run("SELECT celsius FROM readings WHERE device_id = $1", device)
                        .ok()
                        .rows())
                .hasSize(spellings.size());
        assertThat(client.run("SELECT 1 FROM readings WHERE device_id = $1", owner)
                        .sqlState())
                .isEqualTo(UNMAPPED);
    }

    @EveryWay
    void keysMayHoldAnyCharacter(Way way) {
        Client client = client(way);
        List<String> keys = List.of("O'Brien", "a\\b", "日本語", "😀", "Ω≈ç√", "quote\"d", "two\nlines", "$1", "; --");
        for (int i = 0; i < keys.size(); i++) {
            String key = keys.get(i) + way.ordinal();
            String root = tenants().root(i % 3);
            tenants().add(key.replace("'", "''"), root);
            client.run("INSERT INTO orders VALUES ($1, $2, 'x')", key, (long) i).ok();
            assertThat(client.run("SELECT tenant_id, id FROM orders WHERE tenant_id = $1", key)
                            .ok()
                            .rows())
                    .containsExactly(List.of(key, "" + i));
            assertThat(counts("orders", "tenant_id = '" + key.replace("'", "''") + "'"))
                    .isEqualTo(onlyOn(i % 3, 1));
        }
    }

    @Test
    void constantsMayBeWrittenInEveryQuotingStyle() {
        Client client = client(Protocol.SIMPLE);
        Family family = tenants().family(1);
        String root = tenants().root(2);
        tenants().add("it''s \\ odd", root);
        client.run("INSERT INTO orders VALUES ('it''s \\ odd', 1, 'x')").ok();
        for (String constant : List.of(
                "'it''s \\ odd'",
                "E'it\\'s \\\\ odd'",
                "$$it's \\ odd$$",
                "$q$it's \\ odd$q$",
                "U&'it''s \\\\ odd'",
                "'it''s \\ odd'::varchar",
                "CAST('it''s \\ odd' AS text)",
                "('it''s '\n'\\ odd')")) {
            assertThat(client.run("SELECT id FROM orders WHERE tenant_id = " + constant)
                            .ok()
                            .value())
                    .as(constant)
                    .isEqualTo("1");
        }
        client.run("INSERT INTO \"orders\" (\"id\", \"tenant_id\") VALUES (5, '" + family.child() + "')")
                .ok();
        assertThat(client.run("SELECT o.id FROM public.\"orders\" AS o WHERE '" + family.child() + "' = o.tenant_id")
                        .ok()
                        .value())
                .isEqualTo("5");
    }

    // ---- the lookup table itself

    /** lk-lookup-table-queries: its own key is a value like any other. */
    @EveryWay
    void lkLookupTableQueries(Way way) {
        Client client = client(way);
        Family family = tenants().family(1);
        assertThat(client.run("SELECT parent_tenant_id FROM tenants WHERE id = $1", family.child())
                        .ok()
                        .value())
                .isEqualTo(family.parent());
        assertThat(client.run("SELECT * FROM tenants WHERE id = $1", tenants().hashingTo(0))
                        .ok()
                        .rows())
                .isEmpty();
        String fresh = tenants().hashingTo(2);
        assertThat(client.run("INSERT INTO tenants (id) VALUES ($1)", fresh)
                        .ok()
                        .tags())
                .containsExactly("INSERT 0 1");
        assertThat(counts("tenants", "id = '" + fresh + "'")).containsOnly(1L);
        client.run("INSERT INTO orders VALUES ($1, 1, 'x')", family.child()).ok();
        assertThat(client.run(
                                "SELECT o.id FROM tenants t JOIN orders o ON o.tenant_id = t.id WHERE o.tenant_id = $1",
                                family.child())
                        .ok()
                        .value())
                .isEqualTo("1");
    }
}
