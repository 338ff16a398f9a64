package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.routing.Route;
import dev.trunkline.routing.Router;
import dev.trunkline.routing.RoutingContext;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.Parameters;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Analyses and routes a session's statements: re-reads the catalog for a name that it does not know, and has the lookup
 * verify keys that its map does not hold. Answers at once when neither is needed.
 */
final class StatementRouting {

    private final Session session;
    private UsedTranslations used;
    private final SearchPath searchPath;
    private @Nullable Wait<?> wait;

    StatementRouting(Session session) {
        this.session = session;
        this.used = new UsedTranslations(
                session.database().lookups(), session.place().routes());
        this.searchPath = new SearchPath(session);
    }

    /** The session has come to another place. */
    void moved() {
        used = new UsedTranslations(
                session.database().lookups(), session.place().routes());
    }

    /** The statements of a text; a name that the catalog lacks makes it be read once more first. */
    void analyze(byte[] text, Consumer<List<Statement>> analyzed, Consumer<Fault> failed) {
        List<Statement> statements = analyzeNow(text);
        if (session.isPassThrough() || !anyUnknown(statements)) {
            analyzed.accept(statements);
            return;
        }
        await(session.database().reloadCatalog(), ignored -> analyzed.accept(analyzeNow(text)), failed);
    }

    /** True when a statement names a table that the catalog lacks. */
    static boolean anyUnknown(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            if (statements.get(i).hasUnknownRelation()) {
                return true;
            }
        }
        return false;
    }

    /** What gives the session's statements their meaning. */
    RoutingContext context() {
        return searchPath.context();
    }

    /** The statements of a text by the catalog as it is. */
    List<Statement> analyzeNow(byte[] text) {
        return session.database()
                .router()
                .analyze(session.place().buffers(), text, 0, text.length, searchPath.context());
    }

    /** Where a statement runs. Never {@link Route.NeedsKeys}: keys that are missing are verified first. */
    void route(Statement statement, @Nullable Parameters parameters, Consumer<Route> routed, Consumer<Fault> failed) {
        used.begin(session.transactions().lookupsWritten());
        routeOnce(statement, parameters, routed, failed);
    }

    /** A prepared statement as the session's settings and the catalog now have it understood. */
    Statement asOfNow(Statement statement) {
        return session.database().router().inContext(statement, searchPath.context());
    }

    /** The same after the catalog has been read once more, for a name that it lacks. */
    void asOfNow(Statement statement, Consumer<Statement> understood, Consumer<Fault> failed) {
        await(session.database().reloadCatalog(), ignored -> understood.accept(asOfNow(statement)), failed);
    }

    /** Where a statement runs; null when keys are to be verified or it is refused. */
    @Nullable
    Route routeNow(Statement statement, @Nullable Parameters parameters) {
        used.begin(session.transactions().lookupsWritten());
        try {
            Route route = session.database().router().route(statement, parameters, used);
            return route instanceof Route.NeedsKeys ? null : route;
        } catch (PgException refusal) {
            return null;
        }
    }

    private void routeOnce(
            Statement statement, @Nullable Parameters parameters, Consumer<Route> routed, Consumer<Fault> failed) {
        Route route;
        try {
            Router router = session.database().router();
            route = router.route(statement, parameters, used);
        } catch (PgException refusal) {
            session.place().routes().refused(refusal);
            failed.accept(Fault.of(refusal));
            return;
        }
        if (route instanceof Route.NeedsKeys missing) {
            find(
                    missing,
                    found -> {
                        used.verified(missing.lookup(), found);
                        routeOnce(statement, parameters, routed, failed);
                    },
                    failed);
        } else {
            session.place().routes().routed(route);
            routed.accept(route);
        }
    }

    /** One snapshot that has all of these keys. */
    private void find(Route.NeedsKeys missing, Consumer<KeyTranslation> found, Consumer<Fault> failed) {
        if (used.isOwn(missing.lookup())) {
            OwnTranslating.ofKeys(session, missing.lookup(), missing.keys(), found, failed);
        } else if (session.transaction().isOpen() && session.leases().hasBegun(0)) {
            await(
                    session.database().lookups().verifySoon(missing.lookup(), missing.keys()),
                    soon -> {
                        if (soon != null) {
                            found.accept(soon);
                        } else {
                            OwnTranslating.ofKeys(session, missing.lookup(), missing.keys(), found, failed);
                        }
                    },
                    failed);
        } else {
            await(session.database().lookups().verify(missing.lookup(), missing.keys()), found, failed);
        }
    }

    /** False when a mapping that the last route rests on may have changed since: route again. */
    boolean isCurrent() {
        return used.areCurrent();
    }

    /** Waits for a Future on the session's loop; a cancel of the client ends the wait. */
    <T extends @Nullable Object> void await(Future<T> future, Consumer<T> then, Consumer<Fault> failed) {
        Wait<T> mine = new Wait<>(then, failed);
        wait = mine;
        session.onCancel(mine::cancelled);
        var unused = future.onComplete(result -> session.loop().run(() -> {
            if (result.succeeded()) {
                mine.succeeded(result.result());
            } else {
                mine.failedWith(result.cause());
            }
        }));
    }

    void sessionEnded() {
        if (wait != null) {
            wait.over = true;
        }
    }

    private final class Wait<T extends @Nullable Object> {
        private final Consumer<T> then;
        private final Consumer<Fault> failed;
        private boolean over;

        Wait(Consumer<T> then, Consumer<Fault> failed) {
            this.then = then;
            this.failed = failed;
        }

        private boolean end() {
            if (over) {
                return false;
            }
            over = true;
            wait = null;
            session.onCancel(null);
            return true;
        }

        void succeeded(T result) {
            if (end()) {
                session.guarded(() -> then.accept(result));
            }
        }

        void failedWith(Throwable cause) {
            if (end()) {
                session.guarded(() ->
                        failed.accept(Fault.of(cause instanceof PgException known ? known : session.internal(cause))));
            }
        }

        void cancelled() {
            if (end()) {
                failed.accept(Fault.of(ProtocolErrors.canceled()));
            }
        }
    }
}
