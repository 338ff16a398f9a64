package dev.trunkline.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.NullKey;
import dev.trunkline.conf.ShardKeyUpdate;
import dev.trunkline.conf.ShardMapping;
import dev.trunkline.conf.SplitInserts;
import dev.trunkline.conf.UnlistedTables;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.frontend.Bind;
import dev.trunkline.routing.catalog.Catalog;
import dev.trunkline.routing.catalog.Column;
import dev.trunkline.routing.catalog.Function;
import dev.trunkline.routing.catalog.QualifiedName;
import dev.trunkline.routing.catalog.Relation;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.KeyTranslations;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.Parameters;
import dev.trunkline.routing.key.PgType;
import dev.trunkline.routing.key.ShardingKey;
import dev.trunkline.routing.shard.CopySettings;
import dev.trunkline.routing.shard.Lookup;
import dev.trunkline.routing.shard.ShardingFunctions;
import dev.trunkline.routing.shard.ShardingRule;
import dev.trunkline.routing.shard.ShardingRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A database of three shards with a table of every kind, and its router.
 *
 * <ul>
 *   <li>{@code tenants}, {@code settings}: omnisharded; the lookup reads {@code tenants}.
 *   <li>{@code orders}, {@code users}, and the partitioned {@code logs}: sharded by {@code tenant_id varchar(36)}
 *       through the lookup.
 *   <li>{@code events}: by {@code id bigint} and a mapping (1, 2: shard 0; 100 to 200: shard 1; no default).
 *   <li>{@code items}, {@code parts}: by {@code id bigint} and hash; {@code docs}: by {@code id uuid} and hash.
 *   <li>{@code notes}: unlisted. {@code open_orders}, {@code tenant_names}: views.
 * </ul>
 */
final class Fixture {

    static final int SHARDS = 3;

    private static final int JSON = 114;
    private String lookupQuery = "SELECT id, COALESCE(parent_id, id) FROM tenants";

    private final Map<QualifiedName, Relation> relations = new LinkedHashMap<>();
    private final Map<QualifiedName, Function> functions = new LinkedHashMap<>();
    private final Map<ShardingKey, ShardingKey> tenants = new HashMap<>();
    private final Map<String, String> schemas = new HashMap<>();
    private final Set<String> omnisharded = new HashSet<>(Set.of("tenants", "settings"));
    private UnlistedTables unlisted = UnlistedTables.ERROR;
    private NullKey nullKey = NullKey.ERROR;
    private boolean crossShardDisabled;
    private int serverVersion = 180_000;
    private RoutingContext context = RoutingContext.DEFAULT;
    private Router router;

    Fixture() {
        table("tenants", unique(varchar("id", 36)), varchar("parent_id", 36), text("name"), timestamp("last_seen"));
        table("settings", int8("id"), text("name"), timestamp("at"), generated("serial_no"));
        table("orders", int8("id"), varchar("tenant_id", 36), int8("amount"), text("note"));
        table("users", int8("id"), varchar("tenant_id", 36), text("email"));
        add(relation("logs", Relation.Kind.PARTITIONED_TABLE, varchar("tenant_id", 36), text("line")));
        Relation part = relation("logs_2024", Relation.Kind.TABLE, varchar("tenant_id", 36), text("line"));
        add(new Relation(
                part.name(),
                part.kind(),
                part.columns(),
                List.of(),
                List.of(),
                List.of(name("logs")),
                List.of(),
                List.of(),
                false,
                false));
        table("events", int8("id"), text("body"));
        table("items", int8("id"), text("name"), int8("n"));
        table("parts", int8("id"), int8("item_id"), text("name"));
        table("docs", column("id", PgType.UUID), column("body", JSON));
        table("notes", int8("id"), text("note"));
        table("Users", int8("Id"), text("Name"));
        view("open_orders", List.of(name("orders")), int8("id"), varchar("tenant_id", 36));
        view("tenant_names", List.of(name("tenants")), varchar("id", 36), text("name"));
        functions.put(name("pure"), new Function(name("pure"), true, false));
        functions.put(name("reads"), new Function(name("reads"), false, false));
        functions.put(name("ext_agg"), new Function(name("ext_agg"), false, true));
        tenant("acme", "acme");
        tenant("acme-east", "acme");
        tenant("beta", "beta");
        tenant("gamma", "gamma");
    }

    static QualifiedName name(String name) {
        return new QualifiedName("public", name);
    }

    static Column int8(String name) {
        return column(name, PgType.INT8);
    }

    static Column text(String name) {
        return column(name, PgType.TEXT);
    }

    static Column varchar(String name, int length) {
        return new Column(name, 1, PgType.VARCHAR, length + 4, false, false, false, false, true, false);
    }

    /** The same column with an index that makes its values unique. */
    static Column unique(Column column) {
        return new Column(
                column.name(),
                column.position(),
                column.typeOid(),
                column.typmod(),
                column.generated(),
                column.identityAlways(),
                column.hasDefault(),
                column.volatileDefault(),
                column.deterministicCollation(),
                true,
                column.volatileExpression());
    }

    static Column timestamp(String name) {
        return column(name, PgType.TIMESTAMPTZ);
    }

    static Column column(String name, int typeOid) {
        return new Column(name, 1, typeOid, -1, false, false, false, false, true, false);
    }

    /** A column with a default that a sequence feeds. */
    static Column generated(String name) {
        return computed(name, PgType.INT8, "nextval('public." + name + "_seq'::regclass)");
    }

    /** A column with a default that is computed for each row. */
    static Column computed(String name, int typeOid, String expression) {
        return new Column(name, 1, typeOid, -1, false, false, true, true, true, false, expression);
    }

    /** GENERATED ALWAYS AS IDENTITY. */
    static Column identity(String name) {
        return new Column(
                name,
                1,
                PgType.INT8,
                -1,
                false,
                true,
                true,
                true,
                true,
                false,
                "nextval('public." + name + "_seq'::regclass)");
    }

    static Relation relation(String name, Relation.Kind kind, Column... columns) {
        return new Relation(
                name(name),
                kind,
                List.of(columns),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                false,
                false);
    }

    Fixture table(String name, Column... columns) {
        return add(relation(name, Relation.Kind.TABLE, columns));
    }

    /** Another lookup query than that of the column and its parent. */
    Fixture lookupQuery(String query) {
        lookupQuery = query;
        router = null;
        return this;
    }

    Fixture view(String name, List<QualifiedName> reads, Column... columns) {
        return add(new Relation(
                name(name),
                Relation.Kind.VIEW,
                List.of(columns),
                reads,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                false,
                false));
    }

    Fixture add(Relation relation) {
        relations.put(relation.name(), relation);
        router = null;
        return this;
    }

    Fixture tenant(String id, String translated) {
        tenants.put(ShardingKey.ofText(id), ShardingKey.ofText(translated));
        return this;
    }

    Fixture omnisharded(String... tables) {
        omnisharded.addAll(List.of(tables));
        router = null;
        return this;
    }

    Fixture unlisted(UnlistedTables setting) {
        unlisted = setting;
        return this;
    }

    Fixture nullKey(NullKey setting) {
        nullKey = setting;
        return this;
    }

    Fixture crossShardDisabled() {
        crossShardDisabled = true;
        return this;
    }

    Fixture serverVersion(int version) {
        serverVersion = version;
        return this;
    }

    /** The rule of a table holds in one schema only. */
    Fixture onlyIn(String table, String schema) {
        schemas.put(table, schema);
        router = null;
        return this;
    }

    Fixture context(RoutingContext newContext) {
        context = newContext;
        return this;
    }

    ShardingRules rules() {
        Lookup lookup = new Lookup(0, null, "tenants", lookupQuery, KeyType.VARCHAR, "tenant_id", "orders");
        List<ShardMapping> mapping = List.of(
                new ShardMapping(List.of("1", "2"), null, null, 0), new ShardMapping(List.of(), "100", "200", 1));
        return new ShardingRules(
                SHARDS,
                List.of(
                        rule("orders", "tenant_id", KeyType.VARCHAR, lookup),
                        rule("users", "tenant_id", KeyType.VARCHAR, lookup),
                        rule("logs", "tenant_id", KeyType.VARCHAR, lookup),
                        new ShardingRule(
                                null,
                                "events",
                                "id",
                                KeyType.BIGINT,
                                null,
                                false,
                                ShardingFunctions.mapping(KeyType.BIGINT, mapping),
                                SHARDS),
                        rule("items", "id", KeyType.BIGINT, null),
                        rule("parts", "item_id", KeyType.BIGINT, null),
                        rule("docs", "id", KeyType.UUID, null),
                        rule("Users", "Id", KeyType.BIGINT, null)),
                List.of(),
                omnisharded,
                Set.of(),
                List.of(lookup),
                unlisted,
                nullKey,
                SplitInserts.REWRITE,
                ShardKeyUpdate.ERROR,
                crossShardDisabled,
                new CopySettings(false, 1 << 20));
    }

    private ShardingRule rule(String table, String column, KeyType type, Lookup lookup) {
        return new ShardingRule(
                schemas.get(table), table, column, type, lookup, false, ShardingFunctions.hash(SHARDS), SHARDS);
    }

    Router router() {
        if (router == null) {
            router = Router.of(rules(), new Catalog(1, serverVersion, relations, functions), new PlanCache(1 << 20));
        }
        return router;
    }

    List<Statement> analyze(String sql) {
        byte[] text = sql.getBytes(StandardCharsets.UTF_8);
        return router().analyze(new AnalysisBuffers(), text, 0, text.length, context);
    }

    Statement statement(String sql) {
        List<Statement> statements = analyze(sql);
        if (statements.size() != 1) {
            throw new AssertionError("not one statement: " + sql);
        }
        return statements.get(0);
    }

    Route route(String sql, Object... parameters) {
        return route(statement(sql), parameters);
    }

    Route route(Statement statement, Object... parameters) {
        return router().route(statement, parameters.length == 0 ? null : parameters(parameters), translations());
    }

    /**
     * The route in a word: {@code 1} (one shard), {@code any}, {@code sticky}, {@code all} (each does the same),
     * {@code computed} (likewise, with values that are computed once), {@code 0,2} (concatenated), {@code ?key,key} (keys to be verified), {@code split 0,2}, {@code unproven}, or the SQLSTATE.
     */
    String outcome(String sql, Object... parameters) {
        try {
            Route route = route(sql, parameters);
            if (route instanceof Route.One one) {
                return Integer.toString(one.shard());
            }
            if (route instanceof Route.Any any) {
                return any.sticky() ? "sticky" : "any";
            }
            if (route instanceof Route.Many many) {
                String shards = String.join(
                        ",", many.shards().stream().map(String::valueOf).toList());
                return many.merge() == Route.Merge.SINGLE_COUNT ? "all" : shards;
            }
            if (route instanceof Route.NeedsKeys missing) {
                return "?"
                        + String.join(
                                ",",
                                missing.keys().stream().map(String::valueOf).toList());
            }
            if (route instanceof Route.Computed) {
                return "computed";
            }
            if (route instanceof Route.Split split) {
                return "split "
                        + String.join(
                                ",",
                                split.parts().stream()
                                        .map(part -> "" + part.shard())
                                        .toList());
            }
            return "unproven";
        } catch (PgException e) {
            return e.state().code();
        }
    }

    /** Fails unless the statement has this {@link #outcome}. */
    Fixture expect(String outcome, String sql, Object... parameters) {
        assertThat(outcome(sql, parameters)).as(sql).isEqualTo(outcome);
        return this;
    }

    /** The refusal of a statement, its message and detail in one string. */
    String refusal(String sql, Object... parameters) {
        try {
            return "not refused: " + route(sql, parameters);
        } catch (PgException e) {
            return e.text() + " / " + e.detail() + " / " + e.hint();
        }
    }

    /** Text parameters of open type: strings; of a type: {@link Typed}. */
    static Parameters parameters(Object... values) {
        List<Integer> formats = new ArrayList<>();
        List<byte[]> bytes = new ArrayList<>();
        int[] oids = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof Typed typed) {
                formats.add(typed.binary() ? 1 : 0);
                bytes.add(typed.bytes());
                oids[i] = typed.oid();
            } else {
                formats.add(0);
                bytes.add(values[i] == null ? null : values[i].toString().getBytes(StandardCharsets.UTF_8));
            }
        }
        return Parameters.of(Bind.of("", "", formats, bytes, List.of()), oids);
    }

    /** A parameter with its type. */
    record Typed(int oid, boolean binary, byte[] bytes) {

        static Typed text(int oid, String value) {
            return new Typed(oid, false, value.getBytes(StandardCharsets.UTF_8));
        }

        static Typed binary(int oid, int... bytes) {
            byte[] value = new byte[bytes.length];
            for (int i = 0; i < bytes.length; i++) {
                value[i] = (byte) bytes[i];
            }
            return new Typed(oid, true, value);
        }
    }

    KeyTranslations translations() {
        return lookup -> new KeyTranslation() {
            @Override
            public ShardingKey translate(long value) {
                return tenants.get(ShardingKey.ofLong(value));
            }

            @Override
            public ShardingKey translate(long mostSignificant, long leastSignificant) {
                return tenants.get(ShardingKey.ofUuid(mostSignificant, leastSignificant));
            }

            @Override
            public ShardingKey translate(byte[] bytes, int offset, int length) {
                return tenants.get(ShardingKey.ofText(Arrays.copyOfRange(bytes, offset, offset + length), 0, length));
            }
        };
    }

    /** The shard of a bigint by hash. */
    static int hash(long key) {
        return ShardingFunctions.hash(SHARDS).shard(ShardingKey.ofLong(key));
    }

    /** The shard of a text by hash. */
    static int hash(String key) {
        return ShardingFunctions.hash(SHARDS).shard(ShardingKey.ofText(key));
    }
}
