package dev.trunkline.proxy;

import dev.trunkline.proxy.engine.ClientView;
import dev.trunkline.proxy.engine.DatabaseState;
import dev.trunkline.proxy.engine.RouteCounters;
import dev.trunkline.proxy.measure.Timings;
import dev.trunkline.proxy.metrics.Averages;
import dev.trunkline.proxy.metrics.Observation;
import dev.trunkline.proxy.pool.PoolView;
import dev.trunkline.proxy.twophase.GlobalTransaction;
import dev.trunkline.proxy.twophase.TwoPhase;
import dev.trunkline.routing.PlanCache;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Looks at all event loops: each copies its own numbers in a task of its own. For all threads. */
final class Observer {

    private final Shared shared;
    private final InForce inForce;
    private final PlanCache plans;
    private final List<ProxyVerticle> loops;
    private volatile Averages averages = Averages.begin(System.nanoTime());

    Observer(Shared shared, InForce inForce, PlanCache plans, List<ProxyVerticle> loops) {
        this.shared = shared;
        this.inForce = inForce;
        this.plans = plans;
        this.loops = loops;
    }

    /** Takes a sample for the averages again and again. */
    void begin(Vertx vertx) {
        vertx.setPeriodic(Averages.PERIOD_MILLIS, timer -> {
            var unused = shared.pools().views().onSuccess(this::sampled);
        });
    }

    private void sampled(List<PoolView> pools) {
        averages = averages.next(pools, System.nanoTime());
    }

    /** The whole process as it is now; completes on any thread. */
    Future<Observation> observe() {
        Future<List<PoolView>> pools = shared.pools().views();
        Future<Map<String, Timings>> timings = shared.pools().timings();
        Future<List<ProxyVerticle.View>> views =
                Future.all(loops.stream().map(ProxyVerticle::view).toList()).map(all -> all.list());
        return Future.all(pools, timings, views)
                .map(all -> observation(pools.result(), timings.result(), views.result()));
    }

    private Observation observation(
            List<PoolView> pools, Map<String, Timings> timings, List<ProxyVerticle.View> views) {
        long analyses = views.stream().mapToLong(ProxyVerticle.View::analyses).sum();
        List<ClientView> clients =
                views.stream().flatMap(view -> view.clients().stream()).toList();
        return new Observation(
                inForce.configuration(),
                pools,
                timings,
                routes(views),
                ofEach(database -> database.lookups().status()),
                inTwoPhases(),
                ofEach(database -> new Observation.Listening(
                        database.channels().listening(),
                        database.channels().received(),
                        database.channels().dropped())),
                ofEach(DatabaseState::isReady),
                clients,
                shared.clientCount().get(),
                new Observation.Plans(plans.count(), analyses, plans.misses()),
                shared.names().count(),
                shared.names().bytes(),
                averages,
                shared.admission().isStopping());
    }

    private Map<String, Observation.InTwoPhases> inTwoPhases() {
        Map<String, Observation.InTwoPhases> values = new TreeMap<>();
        shared.databases().forEach((name, database) -> {
            TwoPhase twoPhase = database.twoPhase();
            if (twoPhase != null) {
                List<String> committing =
                        twoPhase.underWay().stream().map(GlobalTransaction::key).toList();
                values.put(name, new Observation.InTwoPhases(committing, twoPhase.recovered()));
            }
        });
        return values;
    }

    private <T> Map<String, T> ofEach(Function<DatabaseState, T> value) {
        Map<String, T> values = new TreeMap<>();
        shared.databases().forEach((name, database) -> values.put(name, value.apply(database)));
        return values;
    }

    private static Map<String, RouteCounters> routes(List<ProxyVerticle.View> views) {
        Map<String, RouteCounters> sums = new TreeMap<>();
        views.forEach(view -> view.routes()
                .forEach((database, counters) -> sums.computeIfAbsent(database, name -> new RouteCounters())
                        .add(counters)));
        return sums;
    }
}
