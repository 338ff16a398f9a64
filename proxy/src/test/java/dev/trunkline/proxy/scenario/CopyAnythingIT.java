package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.scenario.CopyStream.Flaw;
import dev.trunkline.proxy.scenario.CopyTable.Kind;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * COPY of anything into any table: what lies on the shards is what lies in one PostgreSQL, row for row, each row where
 * it belongs; or both refuse, with one SQLSTATE and one place in the stream. {@code -Dseed} repeats a run of the class,
 * {@code -Druns} says how long it is, {@code -Dscale=full} makes it 10,000.
 */
class CopyAnythingIT extends Scenario {

    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int RUNS =
            Integer.getInteger("runs", "full".equals(System.getProperty("scale")) ? 10_000 : 400);
    private static final int TABLES_OF_A_KIND = 12;
    private static final int MOST_FAILURES = Integer.getInteger("failures", 5);
    private static final Pattern LINE = Pattern.compile("^COPY [^,]+, line \\d+");

    private final List<CopyTable> tables = new ArrayList<>();
    private final PgShards one = PgCluster.shared().shards(1);
    private final Map<Protocol, WireClient> ours = new EnumMap<>(Protocol.class);
    private final List<WireClient> shardWires = new ArrayList<>();
    private int serverVersion;

    @Override
    void prepare(Deployment deployment) {
        Random random = new Random(SEED);
        List<String> tenants = tenants(random, deployment);
        JsonArray sharded = new JsonArray();
        List<String> omnisharded = new ArrayList<>(List.of("tenants", "accounts", "devices", "countries"));
        for (int i = 0; i < TABLES_OF_A_KIND; i++) {
            CopyTable plain = CopyTable.plain(random, "plain" + i);
            CopyTable translated = CopyTable.of(random, "translated" + i, Kind.TRANSLATED, CopyType.VARCHAR, tenants);
            CopyTable everywhere = CopyTable.of(random, "everywhere" + i, Kind.OMNISHARDED, CopyType.TEXT, List.of());
            tables.addAll(List.of(plain, translated, everywhere));
            sharded.add(new JsonObject()
                    .put("database", Deployment.DATABASE)
                    .put("name", plain.name())
                    .put("column", plain.key().name())
                    .put("data_type", plain.keyType()));
            sharded.add(Deployment.translated(translated.key().name(), "varchar", "tenants", Deployment.TENANTS));
            omnisharded.add(everywhere.name());
        }
        for (CopyTable table : tables) {
            String sql = table.definition() + "GRANT ALL ON " + table.name() + " TO PUBLIC;";
            deployment.shards().executeAll(sql);
            one.execute(0, sql);
            switch (table.kind()) {
                case PLAIN -> deployment.guard().plain(table.name(), table.key().quoted(), table.keyType());
                case TRANSLATED ->
                    deployment.guard().translated(table.name(), table.key().name(), "varchar", Deployment.TENANTS);
                case OMNISHARDED -> {}
            }
        }
        deployment.rules(sharded, Deployment.omnisharded(omnisharded.toArray(new String[0])));
    }

    /** Tenants whose names are hard to write. */
    private static List<String> tenants(Random random, Deployment deployment) {
        Set<String> names = new LinkedHashSet<>(List.of("x", "tenant"));
        while (names.size() < 60) {
            names.add(CopyType.text(random, 14, random.nextBoolean()));
        }
        names.removeIf(name ->
                List.of("", "NULL", "n/a", "\\N", "-", "\\", "\\D", "DEFAULT").contains(name));
        List<String> all = List.copyOf(names);
        for (int i = 0; i < all.size(); i++) {
            String parent = i < 9 ? "NULL" : literal(all.get(i % 9));
            deployment
                    .shards()
                    .executeAll("INSERT INTO tenants (id, parent_tenant_id) VALUES (" + literal(all.get(i)) + ", "
                            + parent + ")");
        }
        return all;
    }

    private static String literal(String text) {
        return "E'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }

    private WireClient direct(int shard) {
        return WireClient.login(shards().host(), shards().port(shard), "postgres", shards().database());
    }

    @Test
    void isStoredAsByOneServer() {
        System.out.println("CopyAnythingIT: seed " + SEED + ", " + RUNS + " runs");
        try (WireClient single = WireClient.login(one.host(), one.port(0), PgShards.APP, one.database())) {
            serverVersion = Integer.parseInt(Objects.requireNonNull(
                    single.simple("SHOW server_version_num").value()));
            for (int shard = 0; shard < shards().count(); shard++) {
                shardWires.add(direct(shard));
            }
            for (Protocol protocol : List.of(Protocol.SIMPLE, Protocol.EXTENDED)) {
                ours.put(protocol, client(protocol).wire());
            }
            Map<String, Integer> outcomes = new java.util.TreeMap<>();
            List<AssertionError> failures = new ArrayList<>();
            for (int run = 0; run < RUNS && failures.size() < MOST_FAILURES; run++) {
                outcomes.merge(run(single, run, failures), 1, Integer::sum);
            }
            System.out.println("CopyAnythingIT: " + outcomes);
            assertThat(failures).isEmpty();
            assertThat(outcomes.getOrDefault("stored", 0)).isGreaterThan(RUNS / 2);
        } finally {
            shardWires.forEach(WireClient::close);
            one.close();
        }
    }

    private String run(WireClient single, int run, List<AssertionError> failures) {
        try {
            return run(single, run);
        } catch (AssertionError failure) {
            failures.add(failure);
            tables.forEach(table -> {
                take(single, table);
                shardWires.forEach(shard -> take(shard, table));
            });
            return "differed";
        }
    }

    /** One COPY beside another; says how it ended. */
    private String run(WireClient single, int run) {
        Random random = new Random(SEED * 31 + run);
        CopyTable table = tables.get(random.nextInt(tables.size()));
        CopyStyle style = CopyStyle.random(random, table, serverVersion);
        CopyStream stream = new CopyStream(random, table, style, serverVersion);
        Flaw flaw = random.nextInt(4) == 0 ? Flaw.values()[random.nextInt(Flaw.values().length)] : null;
        int rows = 1 + (random.nextInt(20) == 0 ? random.nextInt(1_000) : random.nextInt(20));
        byte[] bytes = stream.bytes(rows, flaw);
        Protocol protocol = random.nextBoolean() ? Protocol.SIMPLE : Protocol.EXTENDED;
        int longest = 1 + random.nextInt(random.nextBoolean() ? 10 : 5_000) + bytes.length / 500;
        Answer right = Copying.copy(single, protocol, style.sql(), bytes, () -> 1_000);
        Answer got = Copying.copy(
                Objects.requireNonNull(ours.get(protocol)),
                protocol,
                style.sql(),
                bytes,
                () -> 1 + random.nextInt(longest));
        boolean keyIsFiltered = flaw == Flaw.NULL_KEY && style.filters();
        String what = "-Dseed=" + SEED + ", run " + run + " of " + table.definition() + "\n" + style.sql() + "\n"
                + (stream.isFlawed() ? flaw + " in " : "") + shown(bytes) + "\none:  " + said(right) + "\nours: "
                + said(got);
        List<String> expected = take(single, table);
        if (right.sqlState() == null && got.sqlState() == null) {
            assertThat(got.tags()).as(what).isEqualTo(right.tags());
        } else if (!keyIsFiltered) {
            sameError(what, stream.isFlawed() ? flaw : null, right, got);
        }
        compareRows(what, table, got.sqlState() == null ? expected : List.of());
        return got.sqlState() == null ? "stored" : "refused " + got.sqlState();
    }

    private static void sameError(String what, @Nullable Flaw flaw, Answer right, Answer got) {
        assertThat(got.sqlState()).as(what).isNotNull();
        if (flaw == Flaw.ANY_BYTE) {
            assertThat(right.sqlState() == null ? "40001" : got.sqlState())
                    .as(what)
                    .isEqualTo(got.sqlState());
            return;
        }
        assertThat(flaw).as(what).isNotNull();
        if (flaw == Flaw.NULL_KEY && !Objects.equals(got.sqlState(), right.sqlState())) {
            // 40001: FORCE_NOT_NULL has made a value of it that nobody has.
            assertThat(got.sqlState()).as(what).isIn("22004", "40001");
            if (right.sqlState() == null) {
                return;
            }
            assertThat(line(got)).as(what).isEqualTo(line(right));
            return;
        }
        assertThat(got.sqlState()).as(what).isEqualTo(right.sqlState());
        String where = String.valueOf(got.field('W'));
        boolean isAnywhere = "22021".equals(got.sqlState()) && where.contains("line 1 of the rows of shard");
        if (!isAnywhere) {
            assertThat(got.field('W')).as(what).isEqualTo(right.field('W'));
        }
    }

    private static @Nullable String line(Answer answer) {
        Matcher matcher = LINE.matcher(String.valueOf(answer.field('W')));
        return matcher.find() ? matcher.group() : null;
    }

    private void compareRows(String what, CopyTable table, List<String> expected) {
        List<String> all = new ArrayList<>();
        for (WireClient shard : shardWires) {
            List<String> rows = take(shard, table);
            if (table.kind() == Kind.OMNISHARDED) {
                assertThat(rows).as(what).isEqualTo(expected);
            } else {
                all.addAll(rows);
            }
        }
        if (table.kind() != Kind.OMNISHARDED) {
            all.sort(null);
            assertThat(all).as(what).isEqualTo(expected);
        }
    }

    /** Takes the rows out of a table. */
    private static List<String> take(WireClient wire, CopyTable table) {
        return wire
                .simple("WITH gone AS (DELETE FROM " + table.name() + " RETURNING *) SELECT gone::text FROM gone")
                .ok()
                .rows()
                .stream()
                .map(row -> String.valueOf(row.get(0)))
                .sorted()
                .toList();
    }

    private static String said(Answer answer) {
        return answer.sqlState() == null
                ? answer.tags().toString()
                : answer.sqlState() + " " + answer.message() + " [" + answer.field('W') + "]";
    }

    private static String shown(byte[] bytes) {
        String text = new String(bytes, 0, Math.min(3_000, bytes.length), StandardCharsets.ISO_8859_1);
        StringBuilder shown = new StringBuilder();
        text.chars().forEach(letter -> {
            if (letter >= ' ' && letter < 0x7F || letter == '\n') {
                shown.append((char) letter);
            } else {
                shown.append("<%02x>".formatted(letter));
            }
        });
        return shown.toString();
    }
}
