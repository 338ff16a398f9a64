package dev.trunkline.proxy.scenario;

import dev.trunkline.conf.load.ConfigurationLoader;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.Trunkline;
import dev.trunkline.proxy.pool.Pools;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A proxy that runs in this JVM, and the clients that a test has connected to it. */
final class Instance implements AutoCloseable {

    private static final long LONGEST_WAIT_SECONDS = 15;

    private final Trunkline trunkline;
    private final List<Client> clients = new ArrayList<>();

    private Instance(Trunkline trunkline) {
        this.trunkline = trunkline;
    }

    /**
     * Starts a proxy with a whole configuration of two workers; it takes clients on both event loops in turn when this
     * returns.
     */
    static Instance start(JsonObject configuration) {
        Instance instance = startNarrow(configuration);
        Scenario.await("two clients are on two event loops", instance::serveTwoClientsOnTwoLoops);
        return instance;
    }

    /** The same for a proxy whose pools are too small to tell whether it takes clients on both event loops. */
    static Instance startNarrow(JsonObject configuration) {
        return new Instance(
                await(Trunkline.start(ConfigurationLoader.parse("test", configuration.encode(), System::getenv))));
    }

    /** Each of two clients holds a connection to shard 0: one on each loop, if the clients are on both. */
    private boolean serveTwoClientsOnTwoLoops() {
        try (WireClient one = login();
                WireClient other = login()) {
            for (WireClient client : List.of(one, other)) {
                client.simple("BEGIN").ok();
                client.simple("SELECT count(*) FROM pg_catalog.pg_class").ok();
            }
            return await(trunkline.pools().counts()).stream()
                            .filter(counts -> counts.leased() == 1)
                            .count()
                    == 2;
        }
    }

    WireClient login() {
        return WireClient.login(host(), port(), "app", Deployment.DATABASE);
    }

    int port() {
        return trunkline.port();
    }

    /** Reads another configuration, as SIGHUP does. */
    void reload(JsonObject configuration) {
        Void unused =
                await(trunkline.reload(ConfigurationLoader.parse("test", configuration.encode(), System::getenv)));
    }

    String host() {
        return "127.0.0.1";
    }

    /** A JDBC URL, with further parameters such as {@code prepareThreshold=1}. */
    String url(String... parameters) {
        return "jdbc:postgresql://" + host() + ":" + port() + "/" + Deployment.DATABASE + "?user=app&socketTimeout=15&"
                + String.join("&", parameters);
    }

    /** A client that is logged in; it is closed after the test. */
    synchronized Client client(Protocol protocol) {
        Client client = new Client(this, login(), protocol);
        clients.add(client);
        return client;
    }

    synchronized void closeClients() {
        clients.forEach(Client::close);
        clients.clear();
    }

    /** The proxy may still have to notice it. */
    synchronized void vanished(Client client) {
        clients.remove(client);
    }

    /** Connections that sessions hold. */
    int leased() {
        return await(trunkline.pools().counts()).stream()
                .mapToInt(Pools.Counts::leased)
                .sum();
    }

    /** Connections to a shard that are counted, idle or not. */
    int connections(int shard) {
        return await(trunkline.pools().counts()).stream()
                .filter(counts -> counts.key().shard() == shard)
                .mapToInt(counts -> counts.idle() + counts.leased())
                .sum();
    }

    /** What is left of clients that have gone, one line each. */
    synchronized List<String> remains() {
        List<String> remains = new ArrayList<>();
        int count = trunkline.clientCount();
        if (count > clients.size()) {
            remains.add("the proxy counts " + count + " clients, and " + clients.size() + " are connected");
        }
        if (clients.isEmpty()) {
            await(trunkline.pools().counts()).stream()
                    .filter(counts -> counts.leased() > 0 || counts.waiting() > 0)
                    .forEach(counts -> remains.add("leases: " + counts));
        }
        return remains;
    }

    @Override
    public void close() {
        closeClients();
        await(trunkline.close());
    }

    static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("nothing within " + LONGEST_WAIT_SECONDS + " s", e);
        }
    }
}
