package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.fault.Cut;
import dev.trunkline.harness.fault.TcpRelay;
import dev.trunkline.harness.wire.Answer;
import dev.trunkline.proxy.scenario.Tenants.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * Loading the map: once for everybody, never for ever, never a result from before a write that has been confirmed. A
 * cold map is made by a change of some mapping, which every proxy forgets its map for.
 */
class LoadIT extends Scenario {

    private static final int CLIENTS = 100;
    private static final long WAIT_MILLIS = 1000;

    /** What a load sends; a probe has a WHERE behind it. */
    private static final String LOAD_END = "FROM tenants";

    private static final String INSERT = "INSERT INTO orders VALUES ($1, $2, 'x')";

    private TcpRelay shard0;

    @Override
    void prepare(Deployment deployment) {
        shard0 = TcpRelay.to(deployment.shards().host(), deployment.shards().port(0));
        deployment.reachShard(0, shard0.port());
        deployment
                .shards()
                .executeAll(
                        "ALTER ROLE app IN DATABASE " + deployment.shards().database() + " SET log_statement = 'all'");
    }

    @Override
    Map<String, Object> settings(LookupMiss miss) {
        Map<String, Object> settings = new java.util.HashMap<>(super.settings(miss));
        settings.put("lookup_wait_timeout", WAIT_MILLIS);
        settings.put("connect_timeout", 500);
        return settings;
    }

    @AfterAll
    void closeRelay() {
        shard0.close();
    }

    @BeforeEach
    void openRelay() {
        shard0.accept();
    }

    /** Makes a proxy forget its map. */
    private void forget(Way way) {
        Family family = tenants().family(0);
        client(way)
                .run("UPDATE tenants SET parent_tenant_id = $1 WHERE id = $2", family.child(), family.child())
                .ok();
    }

    // ---- once

    @EveryWay
    void aColdMapIsLoadedOnceForEverybody(Way way) {
        List<Family> families =
                List.of(tenants().family(0), tenants().family(1), tenants().family(2));
        List<Client> clients =
                IntStream.range(0, CLIENTS).mapToObj(n -> client(way)).toList();
        forget(way);
        long logged = shards().server(0).logged();
        try (Hold hold = Hold.table(shards(), 0, "tenants")) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.get(i)
                        .send(
                                "INSERT INTO orders VALUES ($1, $2, 'x')",
                                families.get(i % 3).child(),
                                (long) i)
                        .push();
            }
            await(
                    "the load waits",
                    () -> sessions(0, "application_name = 'trunkline lookup load'" + " AND wait_event_type = 'Lock'")
                            == 1);
            hold.release();
        }
        clients.forEach(client -> client.answer().ok());
        assertThat(loads(logged)).isEqualTo(1);
        for (Family family : families) {
            assertThat(counts("orders", "tenant_id = '" + family.child() + "'").get(family.shard()))
                    .isBetween(33L, 34L);
        }
    }

    private long loads(long logged) {
        return queries(logged).stream().filter(line -> !line.contains("ANY(")).count();
    }

    private long probes(long logged) {
        return queries(logged).stream().filter(line -> line.contains("ANY(")).count();
    }

    /** The log lines of reads of the whole map or of some keys. */
    private List<String> queries(long logged) {
        List<String> found = new ArrayList<>();
        String log = String.join("\n", shards().server(0).logSince(logged));
        for (String entry : log.split("\n(?=\\d{4}-\\d\\d-\\d\\d )")) {
            if (entry.contains("@" + shards().database() + " ")
                    && entry.contains("SELECT t.k::pg_catalog.text")
                    && entry.contains(LOAD_END)) {
                found.add(entry.replace('\n', ' '));
            }
        }
        return found;
    }

    @EveryWay
    void manyUnknownValuesCostFewQueries(Way way) {
        client(way)
                .run("SELECT 1 FROM orders WHERE tenant_id = $1", tenants().root(0))
                .ok();
        List<Client> clients = IntStream.range(0, 20).mapToObj(n -> client(way)).toList();
        long logged = shards().server(0).logged();
        long begun = System.nanoTime();
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < clients.size(); i++) {
                clients.get(i)
                        .send("SELECT 1 FROM orders WHERE tenant_id = $1", "no such tenant " + round + "/" + i)
                        .push();
            }
            clients.forEach(client -> assertThat(client.answer().sqlState()).isEqualTo("40001"));
        }
        long elapsedMillis = (System.nanoTime() - begun) / 1_000_000;
        // Probes start ten milliseconds apart; reloads here five milliseconds after the end of the one before.
        long most = elapsedMillis / (way.miss() == LookupMiss.PROBE ? 10 : 5) + 2;
        assertThat(probes(logged) + loads(logged))
                .isPositive()
                .isLessThanOrEqualTo(most)
                .isLessThan(200);
    }

    // ---- bounded

    @EveryWay
    void aLoadThatHangsIsAnErrorInTimeAndWorksLater(Way way) {
        Family family = tenants().family(1);
        Client first = client(way);
        Client second = client(way);
        Client writer = client(way);
        writer.run("SELECT 1").ok();
        forget(way);
        Answer firstAnswer;
        Answer secondAnswer;
        long waitedMillis;
        try (Hold hold = Hold.table(shards(), 0, "tenants")) {
            long begun = System.nanoTime();
            Client vanishing = client(way);
            vanishing
                    .send("SELECT 1 FROM orders WHERE tenant_id = $1", family.child())
                    .push();
            await(
                    "the load waits",
                    () -> sessions(0, "application_name LIKE 'trunkline lookup%'" + " AND wait_event_type = 'Lock'")
                            > 0);
            first.send("SELECT 1 FROM orders WHERE tenant_id = $1", family.child())
                    .push();
            second.send("INSERT INTO orders VALUES ($1, 1, 'x')", family.parent())
                    .push();
            // Whose statement began the load has gone: that strands nobody.
            vanishing.vanish();
            // Whoever needs no translation does not wait.
            writer.run("SELECT note FROM events WHERE id = 5").ok();
            firstAnswer = first.answer();
            secondAnswer = second.answer();
            waitedMillis = (System.nanoTime() - begun) / 1_000_000;
            hold.release();
        }
        for (Answer answer : List.of(firstAnswer, secondAnswer)) {
            assertThat(answer.sqlState()).isEqualTo("40001");
            assertThat(answer.message()).startsWith("sharding key lookup failed:");
            assertThat(answer.status()).isEqualTo('I');
        }
        assertThat(waitedMillis).isLessThan(2 * WAIT_MILLIS + 1000);
        first.run("INSERT INTO orders VALUES ($1, 2, 'x')", family.child()).ok();
        second.run("INSERT INTO orders VALUES ($1, 3, 'x')", family.parent()).ok();
    }

    @EveryWay
    void aCancelEndsTheWaitForALoad(Way way) {
        Family family = tenants().family(2);
        Client client = client(way);
        forget(way);
        try (Hold hold = Hold.table(shards(), 0, "tenants")) {
            client.send("SELECT 1 FROM orders WHERE tenant_id = $1", family.child())
                    .push();
            await(
                    "the load waits",
                    () -> sessions(0, "application_name LIKE 'trunkline lookup%'" + " AND wait_event_type = 'Lock'")
                            > 0);
            client.wire().cancel();
            Answer answer = client.answer();
            assertThat(answer.sqlState()).isEqualTo("57014");
            hold.release();
        }
        client.run("SELECT 1 FROM orders WHERE tenant_id = $1", family.child()).ok();
    }

    // ---- shard 0 is away

    @EveryWay
    void withoutShardZeroNothingIsGuessed(Way way) {
        Family known = tenants().family(1);
        Family unseen = tenants().family(2);
        Client client = client(way);
        client.run(INSERT, known.child(), 1L).ok();
        String fresh = tenants().hashingElsewhere(2);
        tenants().add(fresh, unseen.parent());

        shard0.refuse();
        shard0.cutAll(Cut.RST);
        Answer failed = client.run(INSERT, fresh, 1L);
        assertThat(failed.sqlState()).isEqualTo("40001");
        assertThat(failed.message()).startsWith("sharding key lookup failed:");
        assertThat(detail(failed)).contains("shard 0");
        // What the map holds is as true as before.
        client.run(INSERT, known.child(), 2L).ok();
        assertThat(counts("orders", "tenant_id = '" + fresh + "'")).containsOnly(0L);

        shard0.accept();
        await("shard 0 is used again", () -> client.run(INSERT, fresh, 1L).sqlState() == null);
        assertThat(counts("orders", "tenant_id = '" + fresh + "'")).isEqualTo(onlyOn(2, 1));
    }
}
