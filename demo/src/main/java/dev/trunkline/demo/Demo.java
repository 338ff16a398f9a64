package dev.trunkline.demo;

import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.load.ConfigurationLoader;
import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.proxy.Trunkline;
import io.vertx.core.Future;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A running demo; it ends with {@link #close} or with the process. */
final class Demo implements AutoCloseable {

    private static final int SHARDS = 3;
    private static final long LONGEST_STEP_SECONDS = 30;

    private final PgCluster cluster;
    private final PgShards shards;
    private final int port;

    private Demo(PgCluster cluster, PgShards shards, int port) {
        this.cluster = cluster;
        this.shards = shards;
        this.port = port;
    }

    /**
     * Starts servers and proxy and fills them.
     *
     * @param progress told one line before each step
     */
    static Demo start(int port, Consumer<String> progress) {
        PgCluster cluster = PgCluster.start(SHARDS, Map.of(), progress);
        try {
            progress.accept("creating tables and sample rows");
            PgShards shards = cluster.shards(SHARDS, "demo");
            SampleData.load(shards);
            progress.accept("starting the proxy");
            Configuration configuration =
                    ConfigurationLoader.parse("demo", DemoConfiguration.text(port, shards), name -> null);
            Trunkline proxy = await(Trunkline.start(configuration));
            cluster.beforeEnd(() -> stop(proxy));
            return new Demo(cluster, shards, port);
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    PgShards shards() {
        return shards;
    }

    /** What a visitor needs to know. */
    String welcome() {
        return Welcome.text(port, shards);
    }

    /** Ends the proxy, then the servers. */
    @Override
    public void close() {
        cluster.close();
    }

    private static void stop(Trunkline proxy) {
        try {
            await(proxy.close());
        } catch (IllegalStateException e) {
            // The servers must end all the same.
            System.err.println("the proxy did not end in order: " + e.getMessage());
        }
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(LONGEST_STEP_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(String.valueOf(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("no end within " + LONGEST_STEP_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
