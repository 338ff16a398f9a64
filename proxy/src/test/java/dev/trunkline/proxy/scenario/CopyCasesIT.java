package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;

/**
 * COPY over three shards: what is stored, and what the client is told, is as of one server, and each row is where it
 * belongs. The tables refuse rows of another shard.
 */
class CopyCasesIT extends Scenario {

    private static final String SINGLE = "single";

    private String zero = "";
    private String one = "";
    private String two = "";

    @Override
    void prepare(Deployment deployment) {
        PgShards shards = deployment.shards();
        shards.executeAll("""
                CREATE TABLE loads (tenant_id varchar, id bigint, note text);
                CREATE TABLE single (tenant_id varchar, id bigint, note text);
                CREATE TABLE names (name varchar, note text);
                CREATE TABLE names_of_one (name varchar, note text);
                CREATE TABLE shorts (n smallint, note text);
                CREATE TABLE codes (code uuid, note text);
                CREATE TABLE currencies (code text PRIMARY KEY, since timestamptz);
                CREATE TABLE generated (tenant_id varchar, twice bigint GENERATED ALWAYS AS (id * 2) STORED, id bigint);
                CREATE SCHEMA "Sales";
                CREATE TABLE "Sales"."Order Items" ("Id" bigint, "tenant-id" varchar);
                GRANT USAGE ON SCHEMA "Sales" TO PUBLIC;
                GRANT ALL ON ALL TABLES IN SCHEMA public, "Sales" TO PUBLIC;
                """);
        deployment.guard().translated("loads", "tenant_id", "varchar", Deployment.TENANTS);
        deployment.guard().translated("generated", "tenant_id", "varchar", Deployment.TENANTS);
        deployment.guard().plain("names", "name", "varchar");
        deployment.guard().plain("shorts", "n", "bigint");
        deployment.guard().plain("codes", "code", "uuid");
        JsonArray sharded = new JsonArray()
                .add(Deployment.translated("tenant_id", "varchar", "tenants", Deployment.TENANTS))
                .add(Deployment.translated("tenant-id", "varchar", "tenants", Deployment.TENANTS))
                .add(plain("names", "name", "varchar"))
                .add(plain("shorts", "n", "bigint"))
                .add(plain("codes", "code", "uuid"));
        deployment.rules(
                sharded, Deployment.omnisharded("tenants", "accounts", "devices", "countries", "currencies", SINGLE));
    }

    private static JsonObject plain(String table, String column, String type) {
        return new JsonObject()
                .put("database", Deployment.DATABASE)
                .put("name", table)
                .put("column", column)
                .put("data_type", type);
    }

    @Override
    Map<String, Object> settings(LookupMiss miss) {
        Map<String, Object> settings = new HashMap<>(super.settings(miss));
        settings.put("copy_binary_lookup", miss == LookupMiss.PROBE ? "translate" : "error");
        return settings;
    }

    @BeforeEach
    void freshTenants() {
        backdoor()
                .execute(
                        "TRUNCATE loads, single, names, shorts, codes, currencies, generated, \"Sales\".\"Order Items\"");
        zero = tenants().family(0).child();
        one = tenants().family(1).child();
        two = tenants().family(2).child();
    }

    // ---- running COPY

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Runs a COPY FROM STDIN, in pieces of a length. */
    private static Answer copy(WireClient wire, Protocol protocol, String sql, byte[] data, int length) {
        return Copying.copy(wire, protocol, sql, data, () -> length);
    }

    private Answer copy(Protocol protocol, String sql, String data) {
        return copy(client(protocol).wire(), protocol, sql, utf8(data), 8192);
    }

    private List<String> rows(String table) {
        List<String> rows = new ArrayList<>();
        for (int shard = 0; shard < shards().count(); shard++) {
            shards().query(shard, "SELECT t::text FROM " + table + " t").forEach(row -> rows.add(row.get(0)));
        }
        return rows.stream().sorted().toList();
    }

    /** Copies into a table of one server and over the shards: the same is said, the same is stored. */
    private Answer same(Protocol protocol, String options, String data, int length) {
        return same(protocol, "(tenant_id, id, note)", options, utf8(data), length);
    }

    private Answer same(Protocol protocol, String columns, String options, byte[] data, int length) {
        backdoor().execute("TRUNCATE loads, single");
        Answer direct;
        try (WireClient wire = WireClient.login(shards().host(), shards().port(0), PgShards.APP, shards().database())) {
            direct = copy(wire, protocol, "COPY single " + columns + " FROM STDIN " + options, data, length);
        }
        Answer ours = copy(
                client(protocol).wire(), protocol, "COPY loads " + columns + " FROM STDIN " + options, data, length);
        assertThat(ours.sqlState()).as(String.valueOf(ours.message())).isEqualTo(direct.sqlState());
        assertThat(ours.tags()).isEqualTo(direct.tags());
        assertThat(rows("loads"))
                .isEqualTo(shards().query(0, "SELECT t::text FROM single t").stream()
                        .map(row -> row.get(0))
                        .sorted()
                        .toList());
        return ours;
    }

    private String lines(String format) {
        return format.replace("0:", zero).replace("1:", one).replace("2:", two);
    }

    private List<Long> loads() {
        return counts("loads", "true");
    }

    // ---- the cases

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    @DisplayName("cp-binary-format")
    void theBinaryFormatIsDividedByItsFields(Protocol protocol) {
        ByteArrayOutputStream stream = header(0);
        row(stream, utf8(zero), int8(1), utf8("zero"));
        row(stream, utf8(one), int8(-1), null);
        row(stream, utf8(two), int8(3), utf8(""));
        byte[] rows = stream.toByteArray();
        for (int length : List.of(1, 7, 64, 1000)) {
            same(protocol, "(tenant_id, id, note)", "(FORMAT binary)", with(rows, (byte) 0xFF, (byte) 0xFF), length);
            assertThat(loads()).containsExactly(1L, 1L, 1L);
            same(protocol, "(tenant_id, id, note)", "BINARY", rows, length);
        }
        same(protocol, "(tenant_id, id, note)", "(FORMAT binary)", header(5).toByteArray(), 3);
        assertThat(copyInto("shorts", protocol, binaryRow(int2(-1)), binaryRow(int2(7)))
                        .tags())
                .containsExactly("COPY 2");
        assertThat(copyInto("codes", protocol, binaryRow(new byte[16])).tags()).containsExactly("COPY 1");
        for (byte[] malformed :
                List.of(utf8("PGCOPY\n"), with(rows, (byte) 0, (byte) 2), with(rows, (byte) 0, (byte) 3))) {
            assertThat(same(protocol, "(tenant_id, id, note)", "(FORMAT binary)", malformed, 10)
                            .sqlState())
                    .isEqualTo("22P04");
        }
        Client refusing = instance(LookupMiss.RELOAD).client(protocol);
        assertThat(copy(refusing.wire(), protocol, "COPY loads FROM STDIN (FORMAT binary)", rows, 100)
                        .sqlState())
                .isEqualTo("0A000");
    }

    private Answer copyInto(String table, Protocol protocol, byte[]... rows) {
        ByteArrayOutputStream stream = header(0);
        for (byte[] row : rows) {
            stream.writeBytes(row);
        }
        return copy(
                client(protocol).wire(),
                protocol,
                "COPY " + table + " FROM STDIN (FORMAT binary)",
                stream.toByteArray(),
                5);
    }

    private static ByteArrayOutputStream header(int extension) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        stream.writeBytes(new byte[] {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0, 0, 0, 0, 0});
        stream.writeBytes(ByteBuffer.allocate(4 + extension).putInt(extension).array());
        return stream;
    }

    private static byte[] binaryRow(byte[] key) {
        ByteArrayOutputStream row = new ByteArrayOutputStream();
        row(row, key, utf8("x"));
        return row.toByteArray();
    }

    private static void row(ByteArrayOutputStream stream, byte @Nullable []... values) {
        stream.writeBytes(int2(values.length));
        for (byte[] value : values) {
            stream.writeBytes(ByteBuffer.allocate(4)
                    .putInt(value == null ? -1 : value.length)
                    .array());
            stream.writeBytes(value == null ? new byte[0] : value);
        }
    }

    private static byte[] int2(int value) {
        return ByteBuffer.allocate(2).putShort((short) value).array();
    }

    private static byte[] int8(long value) {
        return ByteBuffer.allocate(8).putLong(value).array();
    }

    private static byte[] with(byte[] bytes, byte... more) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(bytes);
        both.writeBytes(more);
        return both.toByteArray();
    }

    @Test
    @DisplayName("cp-extended-protocol-sync-ignored")
    void aSyncBeforeTheDataIsIgnored() {
        WireClient wire = client(Protocol.EXTENDED).wire();
        for (int round = 0; round < 10; round++) {
            wire.parse("", "COPY loads FROM STDIN")
                    .bind("", "")
                    .execute("")
                    .sync()
                    .expect("1", "2", "G");
            wire.send(Frontend.copyData(lines("0:\t1\ta\n1:\t1\tb\n"))).flush();
            wire.send(Frontend.copyData(lines("2:\t1\tc\n")))
                    .send(Frontend.copyDone())
                    .sync();
            wire.expect("C COPY 3", "Z I").expectSilence(java.time.Duration.ofMillis(20));
        }
        assertThat(loads()).containsExactly(10L, 10L, 10L);
    }

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    @DisplayName("cp-newlines-and-delims-in-quotes")
    void quotedFieldsMayHoldWhatDividesOthers(Protocol protocol) {
        for (String end : List.of("\n", "\r\n", "\r")) {
            String options = "(FORMAT csv, DELIMITER ';', QUOTE '''', ESCAPE '\\')";
            String data = lines("'0:';1;'a\nb'" + end + "1:;2;';\\'\\\\'" + end + "'2:';3;'\r\n'" + end + "0:;4;last");
            for (int length : List.of(1, 3, 1000)) {
                same(protocol, options, data, length);
            }
            assertThat(loads()).containsExactly(2L, 1L, 1L);
        }
        same(protocol, "(FORMAT csv)", lines("0:,1,a\n1:,2,b\r\n"), 100);
    }

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    @DisplayName("cp-quote-open-at-chunk-end")
    void aQuotedFieldMayBeCutAnywhere(Protocol protocol) {
        String data = lines("\"0:\",1,\"(1,\"\"a b\"\")\"\n1:,2,\"x\ny\"\n");
        for (int length = 1; length < data.length(); length++) {
            same(protocol, "(FORMAT csv)", data, length);
        }
        assertThat(loads()).containsExactly(1L, 1L, 0L);
    }

    @Test
    @DisplayName("cp-release-during-copy")
    void aCopyKeepsItsConnections() {
        Instance small = deployment().start(Map.of("default_pool_size", 2));
        WireClient first = small.client(Protocol.SIMPLE).wire();
        WireClient second = small.client(Protocol.SIMPLE).wire();
        first.query("COPY loads FROM STDIN").expect("G");
        second.query("COPY loads FROM STDIN").expect("G");
        for (int i = 0; i < 10; i++) {
            first.send(Frontend.copyData(lines("0:\t" + i + "\tfirst\n2:\t" + i + "\tfirst\n")))
                    .push();
            second.send(Frontend.copyData(lines("1:\t" + i + "\tsecond\n2:\t" + i + "\tsecond\n")))
                    .push();
        }
        first.send(Frontend.copyDone()).expect("C COPY 20", "Z I");
        second.send(Frontend.copyDone()).expect("C COPY 20", "Z I");
        assertThat(counts("loads", "note = 'first'")).containsExactly(10L, 0L, 10L);
        assertThat(counts("loads", "note = 'second'")).containsExactly(0L, 10L, 10L);
    }

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    @DisplayName("cp-row-over-many-copydata")
    void aRowMayBeLongerThanAMessage(Protocol protocol) {
        String tail = "x".repeat(300_000);
        String data = lines("0:,1," + tail + "\n1:,2," + tail + "y\n2:,3,\"" + tail + "\n\"\n0:,4,z\n");
        same(protocol, "(FORMAT csv)", data, 8192);
        assertThat(loads()).containsExactly(2L, 1L, 1L);
        same(protocol, "(note, id, tenant_id)", "(FORMAT csv)", utf8(lines(tail + ",1,0:\n" + tail + ",2,1:\n")), 8192);
        same(protocol, "(FORMAT csv)", lines("0:,1,a\n1:,2,b\n2:,3,c\n"), 1);
    }

    @Test
    @DisplayName("cp-silent-skip-on-oom")
    void aVeryLongFieldIsStoredWhole() {
        String part = "x".repeat(1 << 20);
        WireClient wire = client(Protocol.SIMPLE).wire();
        wire.query("COPY loads FROM STDIN").expect("G");
        wire.send(Frontend.copyData(lines("1:\t1\t")));
        for (int i = 0; i < 100; i++) {
            wire.send(Frontend.copyData(part)).push();
        }
        wire.send(Frontend.copyData(lines("\n0:\t2\tshort\n"))).send(Frontend.copyDone());
        wire.expect("C COPY 2", "Z I");
        assertThat(backdoor().number(1, "SELECT length(note) FROM loads")).isEqualTo(100L << 20);
        assertThat(loads()).containsExactly(1L, 1L, 0L);
    }

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    @DisplayName("cp-text-key-escapes")
    void aKeyIsReadAsItIsStored(Protocol protocol) {
        Answer answer = copy(
                protocol,
                "COPY names FROM STDIN",
                "a\\tb\t1\nc\\\\d\t2\n\\x41\t3\n\\101\t4\n\\q\t5\n\\x4\\b\t6\ne\\\nf\t7\n");
        assertThat(answer.tags()).containsExactly("COPY 7");
        Client client = client(protocol);
        Map<String, Long> stored = Map.of("a\tb", 1L, "c\\d", 1L, "A", 2L, "q", 1L, "\u0004\b", 1L, "e\nf", 1L);
        stored.forEach((name, count) -> assertThat(client.run("SELECT count(*) FROM names WHERE name = $1", name)
                        .ok()
                        .value())
                .as(name)
                .isEqualTo(count.toString()));
    }

    @Test
    @DisplayName("cp-all-messages-at-once")
    void everythingMayBeSentAtOnce() {
        WireClient wire = client(Protocol.EXTENDED).wire();
        String rows = lines("0:\t1\ta\n1:\t2\tb\n");
        wire.parse("", "COPY loads FROM STDIN").bind("", "").execute("");
        wire.send(Frontend.copyData(rows), Frontend.copyDone()).sync();
        wire.expect("1", "2", "G", "C COPY 2", "Z I");
        wire.parse("", "COPY loads (nothing) FROM STDIN").bind("", "").execute("");
        wire.send(Frontend.copyData(rows), Frontend.copyDone()).sync();
        assertThat(wire.answer().sqlState()).isNotNull();
        wire.query("COPY loads FROM STDIN").send(Frontend.copyData(rows), Frontend.copyDone());
        wire.expect("G", "C COPY 2", "Z I");
        wire.query("COPY loads FROM STDIN nonsense").send(Frontend.copyData(rows), Frontend.copyDone());
        assertThat(wire.answer().sqlState()).isEqualTo("42601");
        assertThat(wire.simple("SELECT 1").ok().value()).isEqualTo("1");
        assertThat(loads()).containsExactly(2L, 2L, 0L);
    }

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    @DisplayName("cp-end-marker")
    void theMarkerEndsTheData(Protocol protocol) {
        for (int length : List.of(1, 2, 5, 100)) {
            same(protocol, "", lines("0:\t1\ta\n1:\t2\tb\n\\.\nno\nrow\n"), length);
            same(protocol, "(FORMAT csv)", lines("0:,1,a\n2:,2,\"\\.\"\n"), length);
        }
        assertThat(loads()).containsExactly(1L, 0L, 1L);
    }

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    @DisplayName("cp-error-context-line")
    void anErrorNamesTheClientsLine(Protocol protocol) {
        String[] tenants = {zero, one, two};
        String data = IntStream.rangeClosed(1, 1500)
                .mapToObj(line -> tenants[line * 7 % 3] + "\t" + (line == 777 ? "x7" : line) + "\tnote\n")
                .collect(Collectors.joining());
        Answer answer = copy(protocol, "COPY loads FROM STDIN", data);
        assertThat(answer.sqlState()).isEqualTo("22P02");
        assertThat(answer.field('W')).isEqualTo("COPY loads, line 777, column id: \"x7\"");
        assertThat(loads()).containsExactly(0L, 0L, 0L);
        Answer key = copy(protocol, "COPY shorts FROM STDIN (FORMAT csv, HEADER)", "n,note\n1,a\n\"x\",b\n");
        assertThat(key.sqlState()).isEqualTo("22P02");
        assertThat(key.field('W')).startsWith("COPY shorts, line 3, column n");
        Answer few = copy(protocol, "COPY loads (id, tenant_id) FROM STDIN", lines("1\t0:\n2\n"));
        assertThat(few.sqlState()).isEqualTo("22P04");
        assertThat(few.message()).isEqualTo("missing data for column \"tenant_id\"");
        assertThat(few.field('W')).startsWith("COPY loads, line 2");
        Answer many = copy(protocol, "COPY loads FROM STDIN", lines("0:\t1\ta\n1:\t2\tb\tc\n"));
        assertThat(many.sqlState()).isEqualTo("22P04");
        assertThat(many.field('W')).startsWith("COPY loads, line 2: ");
    }

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    @DisplayName("cp-header-line")
    void theHeaderIsNoRowOnAnyShard(Protocol protocol) {
        String rows = lines("0:,1,a\n1:,2,b\n2:,3,c\n");
        for (int length : List.of(1, 4, 1000)) {
            same(protocol, "(FORMAT csv, HEADER)", "tenant_id,id,note\n" + rows, length);
            same(protocol, "(FORMAT csv, HEADER MATCH)", "tenant_id,id,note\n" + rows, length);
            same(protocol, "(HEADER true)", "any\tthing\n" + rows.replace(',', '\t'), length);
        }
        assertThat(loads()).containsExactly(1L, 1L, 1L);
        same(
                protocol,
                "(note, tenant_id, id)",
                "(FORMAT csv, HEADER match)",
                utf8(lines("note,tenant_id,id\nx,1:,5\n")),
                9);
        assertThat(same(protocol, "(FORMAT csv, HEADER MATCH)", "id,tenant_id,note\n" + rows, 100)
                        .sqlState())
                .isEqualTo("22P04");
        same(protocol, "(FORMAT csv, HEADER)", "tenant_id,id,note\n", 100);
        same(protocol, "(FORMAT csv, HEADER)", "", 100);
        same(protocol, "(FORMAT csv, HEADER false)", rows, 100);
    }

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    @DisplayName("cp-inside-attached-transaction")
    void aTransactionGrowsToEveryShard(Protocol protocol) {
        Client client = client(protocol);
        client.run("BEGIN").ok();
        client.run("INSERT INTO loads VALUES ($1, 0, 'first')", zero).ok();
        String rows = lines("0:\t1\ta\n1:\t2\tb\n2:\t3\tc\n");
        Answer answer = copy(client.wire(), protocol, "COPY loads FROM STDIN", utf8(rows), 100);
        assertThat(answer.ok().tags()).containsExactly("COPY 3");
        assertThat(answer.status()).isEqualTo('T');
        assertThat(client.run("SELECT id FROM loads WHERE tenant_id = $1", two)
                        .ok()
                        .value())
                .isEqualTo("3");
        assertThat(loads()).containsExactly(0L, 0L, 0L);
        client.run("ROLLBACK").ok();
        assertThat(loads()).containsExactly(0L, 0L, 0L);
        client.run("BEGIN").ok();
        copy(client.wire(), protocol, "COPY loads FROM STDIN", utf8(rows), 100).ok();
        client.run("COMMIT").ok();
        assertThat(loads()).containsExactly(1L, 1L, 1L);
    }

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    @DisplayName("cp-null-string-option")
    void nullIsWhatTheOptionsSay(Protocol protocol) {
        same(protocol, "(FORMAT csv, NULL 'NULL')", lines("0:,1,NULL\n1:,2,\"NULL\"\n2:,3,\"\"\n0:,4,\n"), 5);
        same(protocol, "(NULL '')", lines("0:\t1\t\n1:\t2\t\\N\n"), 5);
        same(protocol, "(FORMAT csv, NULL 'x', FORCE_NULL (note))", lines("0:,1,\"x\"\n1:,2,x\n"), 5);
        same(protocol, "CSV NULL 'x' FORCE NOT NULL note, tenant_id", lines("0:,1,\"x\"\n1:,2,x\n"), 5);
        for (String row : List.of("\\N\t1\ta\n", "0:\t1\ta\n\\N\t2\tb\n")) {
            Answer refused = copy(protocol, "COPY loads FROM STDIN", lines(row));
            assertThat(refused.sqlState()).isEqualTo("22004");
            assertThat(refused.field('W')).contains("column tenant_id");
        }
        Answer empty = copy(protocol, "COPY names FROM STDIN (FORMAT csv)", "\"\",empty\nNULL,text\n");
        assertThat(empty.ok().tags()).containsExactly("COPY 2");
        assertThat(client(protocol)
                        .run("SELECT note FROM names WHERE name = $1", "")
                        .ok()
                        .value())
                .isEqualTo("empty");
    }

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    @DisplayName("cp-quoted-column-names")
    void namesMayBeQuoted(Protocol protocol) {
        String table = "\"Sales\".\"Order Items\"";
        for (String list : List.of(" (\"Id\", \"tenant-id\")", "")) {
            Answer answer = copy(protocol, "COPY " + table + list + " FROM STDIN", lines("1\t0:\n2\t1:\n3\t2:\n"));
            assertThat(answer.ok().tags()).containsExactly("COPY 3");
        }
        assertThat(counts(table, "true")).containsExactly(2L, 2L, 2L);
        for (String wrong : List.of("(\"id\", \"tenant-id\")", "(\"Id\", \"Tenant-Id\")", "(\"Id\")")) {
            assertThat(copy(protocol, "COPY " + table + " " + wrong + " FROM STDIN", "1\tx\n")
                            .sqlState())
                    .as(wrong)
                    .isIn("42703", "22004");
        }
        // Without a list a generated column has no field.
        assertThat(copy(protocol, "COPY public.generated FROM STDIN", lines("0:\t4\n1:\t5\n"))
                        .ok()
                        .tags())
                .containsExactly("COPY 2");
        assertThat(counts("generated", "twice IN (8, 10)")).containsExactly(1L, 1L, 0L);
    }

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    @DisplayName("cp-where-and-options-kept")
    void whatFollowsReachesTheShards(Protocol protocol) {
        String rows = IntStream.rangeClosed(1, 30)
                .mapToObj(i -> lines(i % 3 + ":\t" + i + "\tx\n"))
                .collect(Collectors.joining());
        same(protocol, "WHERE id <= 10 OR id % 2 = 1", rows, 50);
        assertThat(loads()).isNotEqualTo(List.of(10L, 10L, 10L));
        same(protocol, "(ON_ERROR ignore)", lines("0:\t1\ta\n1:\tx\tb\n2:\t3\tc\n"), 50);
        Client client = client(protocol);
        client.run("SET client_encoding TO 'LATIN1'").ok();
        byte[] latin = "caf\u00e9\t1\n\u00fc\t2\n".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(copy(client.wire(), protocol, "COPY names FROM STDIN", latin, 3)
                        .ok()
                        .tags())
                .containsExactly("COPY 2");
        Client utf8 = client(protocol);
        assertThat(copy(utf8.wire(), protocol, "COPY names FROM STDIN (ENCODING 'latin1')", latin, 3)
                        .ok()
                        .tags())
                .containsExactly("COPY 2");
        for (String name : List.of("caf\u00e9", "\u00fc")) {
            assertThat(utf8.run("SELECT count(*) FROM names WHERE name = $1", name)
                            .ok()
                            .value())
                    .isEqualTo("2");
        }
        assertThat(copy(utf8.wire(), protocol, "COPY names FROM STDIN (ENCODING 'SJIS')", latin, 3)
                        .sqlState())
                .isEqualTo("0A000");
    }

    @Test
    @DisplayName("cp-flush-message-during-copy")
    void aFlushBetweenDataIsIgnored() {
        WireClient wire = client(Protocol.EXTENDED).wire();
        wire.parse("", "COPY loads FROM STDIN").bind("", "").execute("").flush().expect("1", "2", "G");
        wire.send(Frontend.copyData(lines("0:\t1\ta\n"))).flush();
        wire.send(Frontend.copyData(lines("1:\t2\tb\n"))).flush();
        wire.send(Frontend.copyDone()).sync().expect("C COPY 2", "Z I");
        assertThat(loads()).containsExactly(1L, 1L, 0L);
    }

    // ---- beyond the cases

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    void nothingStaysOfACopyThatFails(Protocol protocol) {
        WireClient wire = client(protocol).wire();
        for (String bad : List.of("nobody\t3\tc\n", "0:\tx\tc\n", "2:\t1\n", "2:\t1\ta\tb\n")) {
            Answer answer =
                    copy(wire, protocol, "COPY loads FROM STDIN", utf8(lines("0:\t1\ta\n1:\t2\tb\n" + bad)), 10);
            assertThat(answer.sqlState()).as(bad).isNotNull();
            assertThat(answer.status()).isEqualTo('I');
            assertThat(loads()).containsExactly(0L, 0L, 0L);
        }
        wire.query("COPY loads FROM STDIN").expect("G");
        wire.send(Frontend.copyData(lines("0:\t1\ta\n1:\t2\tb\n")), Frontend.copyFail("no more"));
        Answer failed = wire.answer();
        assertThat(failed.sqlState()).isEqualTo("57014");
        assertThat(failed.message()).isEqualTo("COPY from stdin failed: no more");
        assertThat(loads()).containsExactly(0L, 0L, 0L);
        Client gone = client(protocol);
        gone.wire().query("COPY loads FROM STDIN").expect("G");
        gone.wire().send(Frontend.copyData(lines("0:\t1\ta\n1:\t2\tb\n2:\t3"))).push();
        gone.vanish();
        await(
                "no server is left in a COPY",
                () -> IntStream.range(0, 3)
                        .allMatch(shard -> sessions(shard, "state <> 'idle' AND query LIKE 'COPY loads%'") == 0));
        assertThat(loads()).containsExactly(0L, 0L, 0L);
    }

    @EveryWay
    void keysThatNobodyHasSeenAreVerified(Way way) {
        List<String> fresh = IntStream.range(0, 6)
                .mapToObj(i -> tenants().family(i % 3).child())
                .toList();
        Client client = client(way);
        Protocol protocol = way.protocol() == Protocol.SIMPLE ? Protocol.SIMPLE : Protocol.EXTENDED;
        String rows =
                fresh.stream().map(key -> key + "\t1\tx\n" + key + "\t2\ty\n").collect(Collectors.joining());
        assertThat(copy(client.wire(), protocol, "COPY loads FROM STDIN", utf8(rows), 7)
                        .ok()
                        .tags())
                .containsExactly("COPY 12");
        assertThat(loads()).containsExactly(4L, 4L, 4L);
        Answer refused = copy(
                client.wire(),
                protocol,
                "COPY loads FROM STDIN",
                utf8(rows + tenants().hashingTo(1) + "\t1\tz\n"),
                7);
        assertThat(refused.sqlState()).isEqualTo("40001");
        assertThat(refused.field('W')).startsWith("COPY loads, line 13");
        assertThat(loads()).containsExactly(4L, 4L, 4L);
    }

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    void aMappingThatChangesMeanwhileStoresNothing(Protocol protocol) {
        WireClient wire = client(protocol).wire();
        wire.query("COPY loads FROM STDIN").expect("G");
        wire.send(Frontend.copyData(lines("0:\t1\ta\n"))).push();
        String other = tenants().root(1);
        client(protocol)
                .run("UPDATE tenants SET parent_tenant_id = $1 WHERE id = $2", other, zero)
                .ok();
        wire.send(Frontend.copyDone());
        Answer answer = wire.answer();
        // The row had been read by the old mapping, or is read by the new one, which is as good.
        if (answer.sqlState() != null) {
            // The guard says so where the row reaches its shard after the change.
            assertThat(answer.sqlState()).isIn("40001", "23514");
            assertThat(loads()).containsExactly(0L, 0L, 0L);
        } else {
            assertThat(loads()).containsExactly(0L, 1L, 0L);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    void aLookupTableIsCopiedToEveryShardBeforeItIsUsed(Protocol protocol) {
        String root = tenants().hashingTo(2);
        String child = tenants().hashingElsewhere(2);
        Client client = client(protocol);
        Answer copied = copy(
                client.wire(),
                protocol,
                "COPY tenants (id, parent_tenant_id) FROM STDIN",
                utf8(root + "\t\\N\n" + child + "\t" + root + "\n"),
                9);
        assertThat(copied.ok().tags()).containsExactly("COPY 2");
        assertThat(counts("tenants", "id = '" + child + "'")).containsExactly(1L, 1L, 1L);
        assertThat(copy(client.wire(), protocol, "COPY loads FROM STDIN", utf8(child + "\t1\tx\n"), 9)
                        .ok()
                        .tags())
                .containsExactly("COPY 1");
        assertThat(loads()).containsExactly(0L, 0L, 1L);
        Answer twice = copy(client.wire(), protocol, "COPY tenants (id) FROM STDIN", utf8(root + "\n"), 9);
        assertThat(twice.sqlState()).isEqualTo("23505");
        Answer moving = copy(protocol, "COPY currencies FROM STDIN", "EUR\t1999-01-01\nXXX\tnow\n");
        assertThat(moving.sqlState()).isEqualTo("0A000");
        assertThat(counts("currencies", "true")).containsExactly(0L, 0L, 0L);
        assertThat(copy(protocol, "COPY currencies FROM STDIN", "EUR\t1999-01-01\n")
                        .ok()
                        .tags())
                .containsExactly("COPY 1");
        assertThat(counts("currencies", "true")).containsExactly(1L, 1L, 1L);
    }

    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    void copyToIsOneStream(Protocol protocol) {
        Client client = client(protocol);
        for (String way : List.of("COPY loads TO STDOUT", "COPY (SELECT * FROM loads) TO STDOUT")) {
            assertThat(copied(client, way + " (FORMAT csv, HEADER)")).containsExactly("tenant_id,id,note\n");
            assertThat(client.run(way + " (FORMAT binary)").ok().tags()).containsExactly("COPY 0");
        }
        String rows = lines("0:,1,a\n1:,2,\"b\nc\"\n2:,3,\n");
        copy(protocol, "COPY loads FROM STDIN (FORMAT csv)", rows).ok();
        List<String> csv = copied(client, "COPY loads TO STDOUT (FORMAT csv, HEADER)");
        assertThat(csv.get(0)).isEqualTo("tenant_id,id,note\n");
        assertThat(new TreeSet<>(csv.subList(1, csv.size())))
                .containsExactlyInAnyOrder(lines("0:,1,a\n"), lines("1:,2,\"b\nc\"\n"), lines("2:,3,\n"));
        for (String way : List.of("COPY loads TO STDOUT", "COPY (SELECT tenant_id, id, note FROM loads) TO STDOUT")) {
            ByteArrayOutputStream binary = new ByteArrayOutputStream();
            Answer answer = client.run(way + " (FORMAT binary)").ok();
            answer.frames().stream()
                    .filter(frame -> frame.type() == 'd')
                    .forEach(frame -> binary.writeBytes(frame.body()));
            assertThat(answer.tags()).containsExactly("COPY 3");
            assertThat(answer.frames().stream()
                            .filter(frame -> frame.type() == 'H')
                            .count())
                    .isEqualTo(1);
            same(protocol, "(tenant_id, id, note)", "(FORMAT binary)", binary.toByteArray(), 11);
            assertThat(loads()).containsExactly(1L, 1L, 1L);
        }
    }

    private static List<String> copied(Client client, String sql) {
        return client.run(sql).ok().frames().stream()
                .filter(frame -> frame.type() == 'd')
                .map(frame -> new String(frame.body(), StandardCharsets.UTF_8))
                .toList();
    }

    /** Streams of nothing but what means something to the formats: taken or refused as by one server. */
    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    void anyStreamIsTakenAsByOneServer(Protocol protocol) {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        List<String> options = List.of(
                "",
                "(FORMAT csv)",
                "(NULL '')",
                "(FORMAT csv, NULL 'N', QUOTE '''', ESCAPE '\\', HEADER)",
                "(FORMAT csv, FORCE_NOT_NULL (name))",
                "(FORMAT csv, NULL 'N', FORCE_NULL (name))",
                "(HEADER, DELIMITER ',')",
                "CSV DELIMITER 'a'");
        String alphabet = "aaaN,,,,\n\n\n\t\t\t\\.\"'\r";
        WireClient ours = client(protocol).wire();
        try (WireClient one = direct()) {
            for (int round = 0; round < 20 * rounds(6); round++) {
                StringBuilder stream = new StringBuilder();
                int letters = alphabet.length() - (random.nextInt(4) == 0 ? 0 : 1);
                for (int i = random.nextInt(40); i > 0; i--) {
                    stream.append(alphabet.charAt(random.nextInt(letters)));
                }
                String with = options.get(random.nextInt(options.size()));
                String what = "seed " + seed + ", round " + round + ": " + with + " of " + stream;
                one.simple("TRUNCATE names_of_one").ok();
                backdoor().execute("TRUNCATE names");
                byte[] bytes = utf8(stream.toString());
                Answer direct = copy(one, protocol, "COPY names_of_one FROM STDIN " + with, bytes, 1000);
                Answer divided = copy(ours, protocol, "COPY names FROM STDIN " + with, bytes, 1 + random.nextInt(9));
                boolean nullKey = !"0"
                        .equals(one.simple("SELECT count(*) FROM names_of_one WHERE name IS NULL")
                                .value());
                assertThat(divided.sqlState() != null)
                        .as(what + ": " + direct.message() + " / " + divided.message())
                        .isEqualTo(direct.sqlState() != null || nullKey);
                if (divided.sqlState() == null) {
                    assertThat(divided.tags()).as(what).isEqualTo(direct.tags());
                    assertThat(rows("names")).as(what).isEqualTo(rowsOfOne());
                } else {
                    assertThat(counts("names", "true")).as(what).containsOnly(0L);
                }
            }
        }
    }

    private WireClient direct() {
        return WireClient.login(shards().host(), shards().port(0), PgShards.APP, shards().database());
    }

    private List<String> rowsOfOne() {
        return shards().query(0, "SELECT t::text FROM names_of_one t").stream()
                .map(row -> row.get(0))
                .sorted()
                .toList();
    }

    /** Enough to fill every buffer on the way: the client is held back, and nothing is lost. */
    @ParameterizedTest
    @EnumSource(names = {"SIMPLE", "EXTENDED"})
    void manyRowsAreStoredOnceEach(Protocol protocol) throws Exception {
        Random random = new Random(7);
        String[] tenants = {zero, one, two};
        long[] expected = new long[3];
        StringBuilder data = new StringBuilder();
        for (int i = 0; i < 100_000; i++) {
            int shard = random.nextInt(3);
            expected[shard]++;
            data.append(tenants[shard]).append('\t').append(i).append("\tsome note that is rather long\n");
        }
        assertThat(copy(protocol, "COPY loads FROM STDIN", data.toString()).ok().tags())
                .containsExactly("COPY 100000");
        assertThat(loads()).containsExactly(expected[0], expected[1], expected[2]);
        assertThat(backdoor().longs("SELECT count(DISTINCT id) FROM loads"))
                .containsExactly(expected[0], expected[1], expected[2]);
        try (Connection connection = DriverManager.getConnection(proxy().url())) {
            long stored = connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("COPY loads FROM STDIN", new java.io.StringReader(data.toString()));
            assertThat(stored).isEqualTo(100_000);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            assertThat(connection.unwrap(PGConnection.class).getCopyAPI().copyOut("COPY loads TO STDOUT", out))
                    .isEqualTo(200_000);
            assertThat(out.size()).isEqualTo(2 * data.length());
        }
    }
}
