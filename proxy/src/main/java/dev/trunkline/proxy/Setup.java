package dev.trunkline.proxy;

import dev.trunkline.conf.Configuration;
import dev.trunkline.proxy.twophase.DecisionTable;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import java.util.concurrent.ExecutionException;

/** Creates on every shard what two-phase commit needs there. */
final class Setup {

    private Setup() {}

    /** Carries it out, says what it does, and returns the exit code: 1 when a shard has failed. Blocks. */
    static int run(Configuration configuration) {
        Vertx vertx = Vertx.vertx();
        try {
            TlsFiles files = TlsFiles.read(configuration.general());
            int code = 0;
            for (String database : configuration.databaseNames()) {
                int shards = configuration.databases(database).size();
                for (int shard = 0; shards > 1 && shard < shards; shard++) {
                    code |= run(vertx, new OwnServers(() -> configuration, () -> files, database), database, shard);
                }
            }
            return code;
        } catch (TlsFiles.UnusableException e) {
            System.err.println(e.getMessage());
            return 1;
        } finally {
            var unused = vertx.close();
        }
    }

    private static int run(Vertx vertx, OwnServers servers, String database, int shard) {
        try {
            var unused = PgConnection.connect(vertx, servers.options(shard))
                    .compose(connection ->
                            connection.query(DecisionTable.CREATE).execute().eventually(() -> connection.close()))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get();
            System.out.println(database + ", shard " + shard + ": trunkline.decision is there");
            return 0;
        } catch (ExecutionException e) {
            System.err.println(database + ", shard " + shard + ": " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 1;
    }
}
