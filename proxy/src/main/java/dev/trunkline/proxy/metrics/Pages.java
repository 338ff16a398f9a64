package dev.trunkline.proxy.metrics;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two small HTTP servers: {@code /metrics} on {@code openmetrics_port}; {@code /live}, {@code /ready},
 * {@code /detail} and {@code /status} on {@code healthcheck_port}, where every other path is answered as {@code /ready}.
 */
public final class Pages extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(Pages.class);

    private static final String HTML = "text/html; charset=utf-8";
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    /** What the pages need to know; ports are null where there is no page. */
    public record Settings(
            String host,
            @Nullable Integer metricsPort,
            @Nullable Integer healthPort,
            String prefix) {

        /** True when there is no page at all. */
        public boolean isEmpty() {
            return metricsPort == null && healthPort == null;
        }
    }

    private final Settings settings;
    private final Supplier<Future<Observation>> observer;
    private final @Nullable PrometheusMeterRegistry registry;

    /**
     * The pages of a process.
     *
     * @param registry of the Java runtime's and Vert.x's own numbers, which stand behind ours; null = none
     */
    public Pages(
            Settings settings, Supplier<Future<Observation>> observer, @Nullable PrometheusMeterRegistry registry) {
        this.settings = settings;
        this.observer = observer;
        this.registry = registry;
    }

    @Override
    public Future<?> start() {
        List<Future<?>> listening = new ArrayList<>();
        if (settings.metricsPort() != null) {
            listening.add(vertx.createHttpServer()
                    .requestHandler(this::metrics)
                    .listen(settings.metricsPort(), settings.host()));
        }
        if (settings.healthPort() != null) {
            listening.add(vertx.createHttpServer()
                    .requestHandler(this::health)
                    .listen(settings.healthPort(), settings.host()));
        }
        return Future.all(listening);
    }

    private void metrics(HttpServerRequest request) {
        if (!request.path().equals("/metrics")) {
            answer(request, 404, TEXT, "see /metrics\n");
            return;
        }
        observed(request, seen -> answer(request, 200, TEXT, text(seen)));
    }

    private String text(Observation seen) {
        String ours = MetricsText.of(seen, System.nanoTime(), settings.prefix());
        return registry == null ? ours : ours + registry.scrape();
    }

    private void health(HttpServerRequest request) {
        switch (request.path()) {
            case "/live" -> answer(request, 200, TEXT, "live\n");
            case "/detail" ->
                observed(
                        request,
                        seen -> answer(
                                request,
                                Health.isReady(seen) ? 200 : 502,
                                "application/json",
                                Health.detail(seen).encodePrettily()));
            case "/status" ->
                observed(request, seen -> answer(request, 200, HTML, StatusPage.of(seen, System.nanoTime())));
            default ->
                observed(request, seen -> {
                    boolean ready = Health.isReady(seen);
                    answer(request, ready ? 200 : 502, TEXT, ready ? "up\n" : "down\n");
                });
        }
    }

    private void observed(HttpServerRequest request, java.util.function.Consumer<Observation> then) {
        var unused = observer.get()
                .onComplete(result -> context.runOnContext(ignored -> {
                    if (result.succeeded()) {
                        then.accept(result.result());
                    } else {
                        LOG.error("cannot observe the process", result.cause());
                        answer(request, 500, TEXT, "internal error\n");
                    }
                }));
    }

    private static void answer(HttpServerRequest request, int status, String type, String body) {
        HttpServerResponse response = request.response();
        if (!response.closed()) {
            Future<Void> unused = response.setStatusCode(status)
                    .putHeader("Content-Type", type)
                    .end(body);
        }
    }
}
