package dev.trunkline.proxy;

import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.User;
import dev.trunkline.proxy.engine.Cancels;
import dev.trunkline.proxy.engine.ClientView;
import dev.trunkline.proxy.engine.DatabaseState;
import dev.trunkline.proxy.engine.RouteCounters;
import dev.trunkline.proxy.engine.Session;
import dev.trunkline.proxy.engine.SessionPlace;
import dev.trunkline.proxy.engine.TimeoutWatch;
import dev.trunkline.proxy.engine.Timeouts;
import dev.trunkline.proxy.frontend.Frontend;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.Wire;
import dev.trunkline.proxy.pool.LoopPool;
import dev.trunkline.proxy.pool.LoopPools;
import dev.trunkline.routing.AnalysisBuffers;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.net.NetServer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop of the proxy: its clients, their sessions, its pools. Several share one port; the first listens from the
 * start, the others when there are clients enough for them.
 */
final class ProxyVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(ProxyVerticle.class);

    private final Shared shared;
    private final boolean first;
    private final Set<Session> sessions = new HashSet<>();
    private final Map<String, RouteCounters> routes = new HashMap<>();
    private final AnalysisBuffers buffers = new AnalysisBuffers();
    private @Nullable LoopPools pools;

    ProxyVerticle(Shared shared, boolean first) {
        this.shared = shared;
        this.first = first;
    }

    @Override
    public Future<?> start() {
        Configuration configuration = shared.configuration();
        Loop loop = Loop.of(context);
        Wire wire =
                new Wire(vertx, loop, configuration.general().connectTimeout().toMillis(), shared.tls());
        LoopPools attached = shared.pools().attach(loop, wire, first);
        pools = attached;
        Frontend frontend = new Frontend(
                shared.inForce(),
                loop,
                wire,
                shared.accounts(),
                shared.entries(),
                shared.passThrough(),
                shared.cancelKeys(),
                shared.databases(),
                attached,
                new Cancels(wire, loop),
                shared.names(),
                buffers,
                shared.clientCount(),
                shared.admission(),
                sessions,
                routes,
                shared.random(),
                shared.admin());
        TimeoutWatch.begin(
                loop, sessions, () -> Timeouts.of(shared.configuration().general()));
        if (first) {
            return listen(wire, frontend);
        }
        shared.reserve()
                .add(() -> loop.execute(() -> {
                    Future<NetServer> unused = listen(wire, frontend)
                            .onFailure(fault -> LOG.error("an event loop cannot take clients", fault));
                }));
        return Future.succeededFuture();
    }

    private Future<NetServer> listen(Wire wire, Frontend frontend) {
        String host = shared.configuration().general().host();
        return wire.listen(host, shared.port().get(), channel -> {
                    shared.reserve().clientArrived(shared.clientCount().get());
                    frontend.accept(channel);
                })
                .onSuccess(listening -> shared.port().set(listening.actualPort()));
    }

    /**
     * What one loop knows of itself.
     *
     * @param analyses statements that were analysed
     */
    record View(List<ClientView> clients, Map<String, RouteCounters> routes, long analyses) {}

    /** The loop as it is now; from any thread. */
    Future<View> view() {
        Promise<View> viewed = Promise.promise();
        context.runOnContext(ignored -> {
            buffers.publishCounts();
            Map<String, RouteCounters> copy = new HashMap<>();
            routes.forEach((database, counters) ->
                    copy.computeIfAbsent(database, name -> new RouteCounters()).add(counters));
            viewed.complete(new View(sessions.stream().map(Session::view).toList(), copy, buffers.analyses()));
        });
        return viewed.future();
    }

    /** Sends a client away; completes with whether it was one of this loop. From any thread. */
    Future<Boolean> kill(int processId) {
        Promise<Boolean> killed = Promise.promise();
        context.runOnContext(ignored -> {
            List<Session> found = sessions.stream()
                    .filter(session -> session.processId() == processId)
                    .toList();
            found.forEach(Session::kill);
            killed.complete(!found.isEmpty());
        });
        return killed.future();
    }

    /**
     * Clients of a database go over to another that is served in its place, each between two of its transactions; those
     * who cannot are sent away then. Completes when none is left. From any thread.
     *
     * @param next null = all are sent away
     */
    Future<Void> move(DatabaseState before, @Nullable DatabaseState next) {
        Promise<Void> moved = Promise.promise();
        context.runOnContext(ignored -> {
            List<Future<Void>> gone = List.copyOf(sessions).stream()
                    .filter(session -> session.isOn(before))
                    .map(session -> {
                        Promise<Void> left = Promise.promise();
                        session.moveTo(next == null ? null : place(session, next), left::tryComplete);
                        return left.future();
                    })
                    .toList();
            Future<CompositeFuture> unused = Future.join(gone).onComplete(all -> moved.complete());
        });
        return moved.future();
    }

    /** Null for a user whom the configuration in force does not name. */
    private @Nullable SessionPlace place(Session session, DatabaseState next) {
        SessionPlace place = session.place();
        User user = shared.accounts().get().user(next.name(), place.user());
        LoopPool[] of = user == null || pools == null
                ? null
                : pools.ofUser(next.name(), next.epoch(), user.name(), next.shardCount());
        return of == null ? null : place.on(next, Objects.requireNonNull(user).serverUser(), of);
    }

    /** Each client is sent away as soon as it is at rest. Called from any thread. */
    void drain() {
        context.runOnContext(ignored -> List.copyOf(sessions).forEach(Session::drain));
    }

    /** Clients that are left are sent away, and what they run is cancelled; done when the servers know. */
    Future<Void> cutOff() {
        Promise<Void> done = Promise.promise();
        context.runOnContext(ignored -> {
            List<Future<Void>> ends =
                    List.copyOf(sessions).stream().map(ProxyVerticle::cutOff).toList();
            Future<CompositeFuture> unused = Future.join(ends).onComplete(all -> done.complete());
        });
        return done.future();
    }

    private static Future<Void> cutOff(Session session) {
        Promise<Void> cut = Promise.promise();
        session.cutOff(cut::tryComplete);
        return cut.future();
    }
}
