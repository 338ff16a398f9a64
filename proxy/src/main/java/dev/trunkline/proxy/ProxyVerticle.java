package dev.trunkline.proxy;

import dev.trunkline.conf.Configuration;
import dev.trunkline.proxy.engine.Cancels;
import dev.trunkline.proxy.frontend.Frontend;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.Wire;
import dev.trunkline.routing.AnalysisBuffers;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;

/** One event loop of the proxy: its clients, their sessions, its pools. Several share one port. */
final class ProxyVerticle extends VerticleBase {

    private final Shared shared;
    private final boolean first;

    ProxyVerticle(Shared shared, boolean first) {
        this.shared = shared;
        this.first = first;
    }

    @Override
    public Future<?> start() {
        Configuration configuration = shared.configuration();
        Loop loop = Loop.of(context);
        Wire wire =
                new Wire(vertx, loop, configuration.general().connectTimeout().toMillis());
        Frontend frontend = new Frontend(
                configuration,
                loop,
                wire,
                shared.accounts(),
                shared.cancelKeys(),
                shared.databases(),
                shared.pools().attach(loop, wire, first),
                new Cancels(wire, loop),
                shared.names(),
                new AnalysisBuffers(),
                shared.clientCount(),
                shared.random());
        return wire.listen(
                configuration.general().host(), configuration.general().port(), frontend::accept);
    }
}
