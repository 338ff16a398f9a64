package dev.trunkline.bench;

import dev.trunkline.conf.NullKey;
import dev.trunkline.conf.ShardKeyUpdate;
import dev.trunkline.conf.SplitInserts;
import dev.trunkline.conf.UnlistedTables;
import dev.trunkline.lookup.map.LookupMap;
import dev.trunkline.routing.AnalysisBuffers;
import dev.trunkline.routing.PlanCache;
import dev.trunkline.routing.Route;
import dev.trunkline.routing.Router;
import dev.trunkline.routing.RoutingContext;
import dev.trunkline.routing.catalog.Catalog;
import dev.trunkline.routing.catalog.Column;
import dev.trunkline.routing.catalog.QualifiedName;
import dev.trunkline.routing.catalog.Relation;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.PgType;
import dev.trunkline.routing.shard.CopySettings;
import dev.trunkline.routing.shard.Lookup;
import dev.trunkline.routing.shard.ShardingFunctions;
import dev.trunkline.routing.shard.ShardingRule;
import dev.trunkline.routing.shard.ShardingRules;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to route a point read whose shape is known: its text to the shard of its translated key. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RouterBenchmark {

    private static final int SHARDS = 2;

    private final AnalysisBuffers buffers = new AnalysisBuffers();
    private final Router router = router();
    private byte[] text = {};
    private LookupMap map = LookupMap.empty(KeyType.VARCHAR);

    private static Router router() {
        Lookup lookup =
                new Lookup(0, null, "tenants", "SELECT id, root FROM tenants", KeyType.VARCHAR, "tenant_id", "*");
        ShardingRule rule = new ShardingRule(
                null, null, "tenant_id", KeyType.VARCHAR, lookup, false, ShardingFunctions.hash(SHARDS), SHARDS);
        ShardingRules rules = new ShardingRules(
                SHARDS,
                List.of(rule),
                List.of(),
                Set.of("tenants"),
                Set.of(),
                List.of(lookup),
                UnlistedTables.ERROR,
                NullKey.ERROR,
                SplitInserts.REWRITE,
                ShardKeyUpdate.ERROR,
                false,
                new CopySettings(true, 1 << 20));
        QualifiedName accounts = new QualifiedName("public", "accounts");
        Relation relation = new Relation(
                accounts,
                Relation.Kind.TABLE,
                List.of(column("tenant_id", PgType.VARCHAR), column("id", PgType.INT8), column("balance", PgType.INT8)),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                false,
                false);
        return Router.of(rules, new Catalog(1, 180_000, Map.of(accounts, relation), Map.of()), new PlanCache(1 << 20));
    }

    private static Column column(String name, int oid) {
        return new Column(name, 1, oid, -1, false, false, false, false, true, false);
    }

    @Setup
    public void setUp() {
        byte[][] keys = Keys.texts(10_000);
        map = Keys.map(keys);
        String key = new String(keys[4_711], StandardCharsets.US_ASCII);
        text = ("SELECT balance FROM accounts WHERE tenant_id = '" + key + "' AND id = 1")
                .getBytes(StandardCharsets.UTF_8);
        if (!(route() instanceof Route.One)) {
            throw new IllegalStateException("not routed to one shard");
        }
    }

    @Benchmark
    public Route route() {
        return router.route(
                router.analyze(buffers, text, 0, text.length, RoutingContext.DEFAULT)
                        .get(0),
                null,
                lookup -> map);
    }
}
