package dev.trunkline.proxy.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.trunkline.lookup.LookupRelations;
import dev.trunkline.lookup.LookupStatus;
import dev.trunkline.lookup.Lookups;
import dev.trunkline.lookup.source.QueryReads;
import dev.trunkline.proxy.listen.Channels;
import dev.trunkline.proxy.settings.Settings;
import dev.trunkline.proxy.twophase.TwoPhase;
import dev.trunkline.routing.PlanCache;
import dev.trunkline.routing.Router;
import dev.trunkline.routing.catalog.Catalog;
import dev.trunkline.routing.catalog.QualifiedName;
import dev.trunkline.routing.shard.ShardingRules;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What all sessions of one database share, on every loop. Safe for any thread: each part is immutable and replaced
 * whole, or a concurrent container.
 */
public final class DatabaseState {

    /** What servers report after a start-up with certain settings; clients choose the settings, so it is bounded. */
    private static final int MAX_REMEMBERED_STARTUPS = 1_000;

    /** Names of statements known to be valid; a forgotten one is parsed by a server again. */
    private static final int MAX_REMEMBERED_STATEMENTS = 100_000;

    private final String name;
    private final int epoch;
    private final ShardingRules rules;
    private final List<Integer> allShards;
    private final Lookups lookups;
    private final PlanCache plans;
    private final Supplier<Future<Catalog>> catalogReader;
    private final @Nullable TwoPhase twoPhase;
    private volatile Router router;
    private volatile Catalog catalog = Catalog.EMPTY;
    private final AtomicReference<Future<Void>> reading = new AtomicReference<>(Future.succeededFuture());
    private final Promise<Void> ready = Promise.promise();
    private final AtomicInteger turn = new AtomicInteger();
    private final Cache<String, Boolean> parsed =
            Caffeine.newBuilder().maximumSize(MAX_REMEMBERED_STATEMENTS).build();
    private final ConcurrentHashMap<String, Map<String, String>> startups = new ConcurrentHashMap<>();
    private final Channels channels = new Channels();
    private final Set<Future<Void>> unsettled = ConcurrentHashMap.newKeySet();

    /**
     * A database whose catalog has not been read yet.
     *
     * @param epoch of its servers, by which its pools are known
     * @param catalogReader reads the catalog of shard 0 anew; called from any thread
     * @param twoPhase null when transactions over several shards commit on one after the other
     */
    public DatabaseState(
            String name,
            int epoch,
            ShardingRules rules,
            Lookups lookups,
            PlanCache plans,
            Supplier<Future<Catalog>> catalogReader,
            @Nullable TwoPhase twoPhase) {
        this.twoPhase = twoPhase;
        this.name = name;
        this.epoch = epoch;
        this.rules = rules;
        this.allShards = IntStream.range(0, rules.shardCount()).boxed().toList();
        this.lookups = lookups;
        this.plans = plans;
        this.catalogReader = catalogReader;
        this.router = Router.of(rules, Catalog.EMPTY, plans);
    }

    /** Notes that the database can be served: its catalog is known. */
    public void ready() {
        ready.tryComplete();
    }

    /** Completes, on any thread, when the database can be served. */
    public Future<Void> whenReady() {
        return ready.future();
    }

    /** True when the database can be served. */
    public boolean isReady() {
        return ready.future().isComplete();
    }

    /** As clients name it. */
    public String name() {
        return name;
    }

    /** Counts up when the database gets other servers. */
    public int epoch() {
        return epoch;
    }

    public int shardCount() {
        return rules.shardCount();
    }

    /** Two-phase commit; null when transactions over several shards commit on one after the other. */
    public @Nullable TwoPhase twoPhase() {
        return twoPhase;
    }

    /** A commit of a session was lost; the Future completes when its outcome is known on every shard. */
    void outcomeUnknown(Future<Void> settled) {
        unsettled.add(settled);
        var unused = settled.onSuccess(known -> unsettled.remove(settled));
    }

    /** Completes when every outcome that is unknown now is known; never, if one of them stays unknown. */
    public Future<Void> whenOutcomesAreKnown() {
        return Future.all(List.copyOf(unsettled)).mapEmpty();
    }

    /** Nobody is served by this any more. */
    public void end() {
        if (twoPhase != null) {
            twoPhase.end();
        }
    }

    /** The numbers of all shards, ascending. */
    List<Integer> allShards() {
        return allShards;
    }

    /** The router of the catalog that was read last; a statement keeps the one that analysed it. */
    public Router router() {
        return router;
    }

    /** The maps that sharding keys are translated by. */
    public Lookups lookups() {
        return lookups;
    }

    /** What its sessions listen to. */
    public Channels channels() {
        return channels;
    }

    /** The shard whose turn it is, when any will do. */
    public int nextShard() {
        return Math.floorMod(turn.getAndIncrement(), shardCount());
    }

    /**
     * Reads the catalog again, from a read that begins after this call; callers that come while one waits to begin share
     * it. Completes on any thread when {@link #router()} knows it.
     */
    public Future<Void> reloadCatalog() {
        Promise<Void> mine = Promise.promise();
        Future<Void> before = reading.getAndSet(mine.future());
        var unused = before.transform(ended -> read()).onComplete(mine);
        return mine.future();
    }

    private Future<Void> read() {
        return catalogReader
                .get()
                .onSuccess(read -> {
                    router = Router.of(rules, read, plans);
                    catalog = read;
                })
                .mapEmpty();
    }

    /**
     * Asks shard 0 what each lookup query reads and calls. Fails with F0000 if that need not be the same on every shard
     * and at any time; a query that the server refuses, or does not answer in time, is no reason: statements that need it
     * are told. Completes on any thread.
     */
    public Future<Void> checkLookups() {
        List<LookupStatus> each = lookups.status();
        List<Future<Void>> checked = new ArrayList<>();
        for (int i = 0; i < each.size(); i++) {
            String table = each.get(i).table();
            checked.add(lookups.reads(i).otherwise(QueryReads.NOTHING).compose(reads -> check(table, reads)));
        }
        return Future.all(checked).mapEmpty();
    }

    private Future<Void> check(String table, QueryReads reads) {
        List<QualifiedName> unequal = LookupRelations.notOmnisharded(reads.relations(), catalog, rules.omnisharded());
        if (!unequal.isEmpty()) {
            return Future.failedFuture(EngineErrors.lookupNotOmnisharded(table, unequal));
        }
        return reads.notImmutable().isEmpty()
                ? Future.succeededFuture()
                : Future.failedFuture(EngineErrors.lookupNotImmutable(table, reads.notImmutable()));
    }

    /** Notes that a server has parsed the statement with this server name. */
    void parsed(String serverName) {
        parsed.put(serverName, Boolean.TRUE);
    }

    /** True when a server has parsed this statement before: its ParseComplete need not wait for one. */
    boolean isParsed(String serverName) {
        return parsed.getIfPresent(serverName) != null;
    }

    /** What a server reported after a start-up with these settings, or null when that is not known yet. */
    public @Nullable Map<String, String> reportedAfter(String user, Settings startup) {
        return startups.get(user + '\n' + startup);
    }

    /** Remembers what a server reported after a start-up with these settings: they are valid, and mean this. */
    public void rememberReported(String user, Settings startup, Map<String, String> reported) {
        if (startups.size() < MAX_REMEMBERED_STARTUPS) {
            startups.put(user + '\n' + startup, Map.copyOf(reported));
        }
    }
}
