package dev.trunkline.proxy.scenario;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.check.Invariants;
import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.Answer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * What the classes of scenarios share: a deployment of their own on three shards behind two proxies, one for each way of
 * verifying a missing key. After each test its clients are closed, and nothing of it may be left.
 */
@Shards(3)
@TestInstance(Lifecycle.PER_CLASS)
abstract class Scenario {

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
    private static final long BETWEEN_LOOKS_NANOS = 2_000_000;

    private final Map<LookupMiss, Instance> instances = new EnumMap<>(LookupMiss.class);
    private Deployment deployment;

    @BeforeAll
    void deploy(PgShards shards, Invariants invariants) {
        deployment = new Deployment(shards, invariants);
        prepare(deployment);
        for (LookupMiss miss : LookupMiss.values()) {
            instances.put(miss, deployment.start(settings(miss)));
        }
    }

    /** Adds what a class needs before its proxies start. */
    void prepare(Deployment deployment) {}

    /** The settings of the proxy that verifies in this way; between them they cover both ways to treat an INSERT. */
    Map<String, Object> settings(LookupMiss miss) {
        return miss == LookupMiss.PROBE
                ? Map.of("lookup_miss", "probe", "lookup_keep_on_insert", true)
                : Map.of("lookup_miss", "reload", "lookup_keep_on_insert", false, "lookup_reload_interval", 5);
    }

    @BeforeEach
    void repairBackdoor() {
        backdoor().repair();
    }

    @AfterEach
    void closeClients() {
        deployment.closeClients();
    }

    @AfterAll
    void undeploy() {
        deployment.close();
    }

    Deployment deployment() {
        return deployment;
    }

    PgShards shards() {
        return deployment.shards();
    }

    Backdoor backdoor() {
        return deployment.backdoor();
    }

    Tenants tenants() {
        return deployment.tenants();
    }

    Instance instance(LookupMiss miss) {
        return Objects.requireNonNull(instances.get(miss));
    }

    /** The proxy for tests that have nothing to do with missing keys. */
    Instance proxy() {
        return instance(LookupMiss.PROBE);
    }

    Client client(Way way) {
        return instance(way.miss()).client(way.protocol());
    }

    Client client(Protocol protocol) {
        return proxy().client(protocol);
    }

    /** How often to repeat what races: {@code -Dscale=full} makes it a thousand times. */
    static int rounds(int few) {
        return "full".equals(System.getProperty("scale")) ? 1000 : few;
    }

    /** Waits for a condition; fails after ten seconds. */
    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + LONGEST_WAIT + ": " + what);
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }

    /** How many rows of a table lie on each shard. */
    List<Long> counts(String table, String condition) {
        return backdoor().longs("SELECT count(*) FROM " + table + " WHERE " + condition);
    }

    /** One row on one shard and none on the others, as {@link #counts} says it. */
    List<Long> onlyOn(int shard, long rows) {
        return java.util.stream.IntStream.range(0, shards().count())
                .mapToObj(each -> each == shard ? rows : 0L)
                .toList();
    }

    /** How many sessions of proxies on a shard fit a condition over {@code pg_stat_activity}. */
    long sessions(int shard, String condition) {
        return backdoor()
                .number(
                        shard,
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'app'"
                                + " AND (" + condition + ")");
    }

    /** A session of a proxy waits for a lock on this shard. */
    void awaitLockWait(int shard, String query) {
        await(
                "a session waits on shard " + shard + " in " + query,
                () -> sessions(shard, "wait_event_type = 'Lock' AND query LIKE '%" + query + "%'") > 0);
    }

    static String detail(Answer answer) {
        return String.valueOf(answer.field('D'));
    }
}
