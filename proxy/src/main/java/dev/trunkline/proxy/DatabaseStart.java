package dev.trunkline.proxy;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.proxy.engine.DatabaseState;
import dev.trunkline.proxy.twophase.TwoPhase;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings one database into service in the background: a database of several shards is served once transactions that were
 * left behind have come to their end and its catalog is known. Tries again until shard 0 answers; logins wait meanwhile, within their bound.
 */
final class DatabaseStart {

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseStart.class);

    private static final long RETRY_MILLIS = 1_000;

    private final Vertx vertx;
    private final DatabaseState database;
    private volatile String fault = "no answer yet";
    private volatile boolean abandoned;

    DatabaseStart(Vertx vertx, DatabaseState database) {
        this.vertx = vertx;
        this.database = database;
    }

    void begin() {
        if (database.shardCount() == 1) {
            database.ready();
            return;
        }
        TwoPhase twoPhase = database.twoPhase();
        Future<Void> recovered = twoPhase == null ? Future.succeededFuture() : twoPhase.start();
        var unused = recovered
                .compose(done -> database.reloadCatalog())
                .compose(read -> database.checkLookups())
                .onComplete(result -> {
                    if (result.succeeded()) {
                        LOG.info("database {} is ready, {} shards", database.name(), database.shardCount());
                        database.ready();
                    } else {
                        fault = said(result.cause());
                        LOG.warn("database {} is not ready: {}", database.name(), fault);
                        vertx.setTimer(RETRY_MILLIS, timer -> {
                            if (!abandoned) {
                                begin();
                            }
                        });
                    }
                });
    }

    /** Tries no more. */
    void abandon() {
        abandoned = true;
    }

    /** Why it was not ready when it was tried last. */
    String fault() {
        return fault;
    }

    private static String said(Throwable cause) {
        if (!(cause instanceof PgException refusal)) {
            return String.valueOf(cause.getMessage());
        }
        return Stream.of(refusal.text(), refusal.detail(), refusal.hint())
                .filter(Objects::nonNull)
                .map(sentence -> sentence.endsWith(".") ? sentence : sentence + ".")
                .collect(Collectors.joining(" "));
    }
}
