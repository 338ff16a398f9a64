package dev.trunkline.routing;

import dev.trunkline.routing.catalog.Catalog;
import dev.trunkline.routing.key.KeyTranslations;
import dev.trunkline.routing.key.Parameters;
import dev.trunkline.routing.plan.Destination;
import dev.trunkline.routing.plan.EqualPlan;
import dev.trunkline.routing.plan.KeyedPlan;
import dev.trunkline.routing.plan.Once;
import dev.trunkline.routing.plan.RoutePlan;
import dev.trunkline.routing.plan.RoutingErrors;
import dev.trunkline.routing.plan.Values;
import dev.trunkline.routing.shard.ShardingRules;
import dev.trunkline.routing.sql.Classifier;
import dev.trunkline.routing.sql.Command;
import dev.trunkline.routing.sql.Constants;
import dev.trunkline.routing.sql.InnerStatement;
import dev.trunkline.routing.sql.Lexer;
import dev.trunkline.routing.sql.SetConfigs;
import dev.trunkline.routing.sql.Shape;
import dev.trunkline.routing.sql.Statements;
import dev.trunkline.routing.sql.TextParameters;
import dev.trunkline.routing.sql.Tokens;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Says what statements are and where they run. Immutable, safe for any thread; replaced as a whole when the catalog or
 * the configuration of its database changes.
 */
public final class Router {

    private static final AtomicLong NUMBERS = new AtomicLong();

    /** Bytes of text from which on the analysis of a new shape takes long enough to be done off the event loop. */
    private static final int HEAVY_BYTES = 4_096;

    private final long number = NUMBERS.incrementAndGet();
    private final ShardingRules rules;
    private final PlanCache cache;
    private final StatementAnalyzer analyzer;
    private final Routes routes;

    private Router(ShardingRules rules, Catalog catalog, PlanCache cache) {
        this.rules = rules;
        this.cache = cache;
        this.analyzer = new StatementAnalyzer(rules, catalog);
        this.routes = new Routes(rules.shardCount());
    }

    /**
     * The router of one database.
     *
     * @param catalog {@link Catalog#EMPTY} while it has not been read
     * @param cache shared by all routers of the process
     */
    public static Router of(ShardingRules rules, Catalog catalog, PlanCache cache) {
        return new Router(rules, catalog, cache);
    }

    /** How many shards the database has, at least 1. */
    public int shardCount() {
        return rules.shardCount();
    }

    /** Analysing a text of this length may take milliseconds if its shape has not been seen yet. */
    public static boolean isHeavy(int length) {
        return length > HEAVY_BYTES;
    }

    /**
     * The statements of a text, in order; empty if there is none but comments and semicolons.
     *
     * @param buffers those of the calling event loop
     * @param text never changed afterwards: the statements keep it
     * @param context that of the session
     */
    public List<Statement> analyze(
            AnalysisBuffers buffers, byte[] text, int offset, int length, RoutingContext context) {
        Tokens tokens = buffers.tokens;
        Lexer.lex(text, offset, length, context.standardConformingStrings(), tokens);
        Statements split = buffers.statements;
        split.split(tokens);
        List<Statement> statements = new ArrayList<>(split.count());
        for (int i = 0; i < split.count(); i++) {
            statements.add(statement(buffers, i, context));
        }
        return statements;
    }

    private Statement statement(AnalysisBuffers buffers, int index, RoutingContext context) {
        Tokens tokens = buffers.tokens;
        Statements split = buffers.statements;
        Shape shape = buffers.shape;
        shape.of(tokens, split, index);
        Analysis analysis = analysis(buffers, split.hasDirective(index), context);
        int first = shape.firstToken();
        int end = shape.endToken();
        Command command = analysis.hasCommand() ? Classifier.command(tokens, first, end) : null;
        List<String> columns = analysis.impliedColumns();
        return new Statement(
                new Statement.Text(this, context, tokens.text(), split.startByte(index), split.endByte(index)),
                analysis,
                constants(buffers, analysis),
                command,
                analysis.callsSetConfig()
                        ? SetConfigs.of(tokens, first, end, TextParameters.UNKNOWN)
                        : SetConfigs.Found.NOTHING,
                columns == null ? null : InsertPlace.columnList(tokens, first, end, columns));
    }

    private Analysis analysis(AnalysisBuffers buffers, boolean directive, RoutingContext context) {
        Shape shape = buffers.shape;
        buffers.analyses++;
        PlanCache.Key key = new PlanCache.Key(number, context, shape);
        Analysis recent = buffers.recent.get(key);
        if (recent != null) {
            return recent;
        }
        PlanCache.Known known = cache.get(key);
        if (known == null) {
            known = cache.put(key.lasting(), analyzer.analyze(buffers, directive, context));
        }
        buffers.recent.put(known);
        return known.analysis();
    }

    /** The constants that the plan asks for: of the inner statement, if the plan is its. */
    private static Constants constants(AnalysisBuffers buffers, Analysis analysis) {
        if (analysis.plan() instanceof RoutePlan.Fixed || analysis.plan() instanceof RoutePlan.Single) {
            return Constants.none();
        }
        Shape shape = buffers.shape;
        InnerStatement inner = analysis.inner();
        if (inner != null) {
            int first = inner.firstToken(shape.firstToken());
            int end = inner.endToken(shape.endToken());
            buffers.inner.of(buffers.tokens, first, end, false);
            shape = buffers.inner;
        }
        return Constants.capture(buffers.tokens, shape, analysis.plan().slots());
    }

    /**
     * Where a statement runs. What the engine acts on by itself (transactions, settings, cursors) has a route without
     * meaning.
     *
     * @param parameters null before Bind and in the simple protocol
     * @param translations the current snapshots of the database's lookups; each is read once
     * @throws dev.trunkline.protocol.error.PgException if it is refused
     */
    public Route route(Statement statement, @Nullable Parameters parameters, KeyTranslations translations) {
        Statement mine = statement.place().router() == this ? statement : reread(statement);
        if ((mine.unknownSetConfig() || mine.unknownLocalSetConfig()) && shardCount() > 1) {
            throw RoutingErrors.notOverSeveralShards(
                    "set_config with values that are neither constants nor parameters",
                    "Use SET, or set_config with constants or parameters in a SELECT without any clause.");
        }
        RoutePlan plan = mine.analysis().plan();
        if (mine.command() instanceof Command.Copy copy && !(plan instanceof RoutePlan.Refused)) {
            if (copy.options() == null) {
                return new Route.Unproven(RoutingErrors.notAnalysed("Its options are not known."));
            }
            if (plan instanceof RoutePlan.Copy into) {
                return CopyText.route(mine, into.target(), copy, copy.options());
            }
        }
        if (plan instanceof KeyedPlan keyed) {
            Destination destination = keyed.evaluate(new Values(mine.constants(), parameters, translations));
            if (destination instanceof Destination.Rows rows && mine.analysis().oneShardOnly() == null) {
                return InsertSplit.route(mine, parameters, rows);
            }
            return routes.of(destination, mine.analysis().oneShardOnly());
        }
        if (plan instanceof RoutePlan.Computed computed) {
            return computed(mine, parameters, translations, computed.once());
        }
        if (plan instanceof EqualPlan equal) {
            Values values = new Values(mine.constants(), parameters, translations);
            Once once = equal.computed(values);
            if (once != null) {
                return computed(mine, parameters, translations, once);
            }
            equal.check(values);
        }
        return routes.of(plan);
    }

    /** The statement with these parameters: what it sets by {@code set_config} may depend on them. */
    public static Statement bound(Statement statement, Parameters parameters) {
        if (!statement.unknownSetConfig() && !statement.unknownLocalSetConfig()) {
            return statement;
        }
        Tokens tokens = statement.tokens();
        return statement.with(SetConfigs.of(tokens, 0, tokens.count(), parameters));
    }

    /**
     * A write whose values one shard computes for all. What is sent then is judged like any other write: if something is
     * left in it that each shard would compute for itself, it is refused.
     */
    private Route computed(
            Statement statement, @Nullable Parameters parameters, KeyTranslations translations, Once once) {
        if (statement.analysis().oneShardOnly() != null) {
            throw once.refusal();
        }
        Route.Computed route = OnceText.route(statement, parameters, once, routes.shards());
        Route.Part part = route.part();
        RoutingContext context = statement.place().context();
        List<Statement> sent = analyze(new AnalysisBuffers(), part.text(), 0, part.text().length, context);
        RoutePlan plan = sent.get(0).analysis().plan();
        if (plan instanceof EqualPlan equal) {
            Parameters bound = Parameters.some(parameters, part.parameters());
            equal.check(new Values(sent.get(0).constants(), bound, translations));
        } else if (plan instanceof RoutePlan.Computed left) {
            throw left.once().refusal();
        } else if (plan instanceof RoutePlan.Refused refused) {
            throw refused.unread() ? once.refusal() : refused.refusal();
        } else if (plan != RoutePlan.Fixed.ALL) {
            throw once.refusal();
        }
        return route;
    }

    private Statement reread(Statement statement) {
        return reread(statement, statement.place().context());
    }

    private Statement reread(Statement statement, RoutingContext context) {
        Statement.Text place = statement.place();
        List<Statement> again =
                analyze(new AnalysisBuffers(), place.text(), place.start(), place.end() - place.start(), context);
        return again.get(0);
    }

    /**
     * The statement as it is to be understood in a context: a prepared one means what its names mean when it is bound,
     * as on a server, which plans it anew when the search path or a definition has changed.
     */
    public Statement inContext(Statement statement, RoutingContext context) {
        Statement.Text place = statement.place();
        return place.router() == this && place.context().equals(context) ? statement : reread(statement, context);
    }

    /** Routes, made once. */
    private static final class Routes {

        private static final Route ANY = new Route.Any(false);
        private static final Route STICKY = new Route.Any(true);

        private final List<Route> one;
        private final List<Integer> shards;
        private final Route all;
        private final Route spread;

        Routes(int shardCount) {
            one = IntStream.range(0, shardCount).<Route>mapToObj(Route.One::new).toList();
            shards = IntStream.range(0, shardCount).boxed().toList();
            all = shardCount == 1 ? one.get(0) : new Route.Many(shards, Route.Merge.SINGLE_COUNT);
            spread = shardCount == 1 ? one.get(0) : new Route.Many(shards, Route.Merge.CONCATENATE);
        }

        List<Integer> shards() {
            return shards;
        }

        Route of(RoutePlan plan) {
            if (plan instanceof RoutePlan.Single single) {
                return one.get(single.shard());
            }
            if (plan instanceof RoutePlan.Refused refused) {
                if (refused.unread()) {
                    return new Route.Unproven(refused.refusal());
                }
                throw refused.refusal();
            }
            if (plan == RoutePlan.Fixed.ANY) {
                return ANY;
            }
            if (plan == RoutePlan.Fixed.SPREAD) {
                return spread;
            }
            return plan == RoutePlan.Fixed.STICKY ? STICKY : all;
        }

        Route of(Destination destination, @Nullable String oneShardOnly) {
            if (destination instanceof Destination.One found) {
                return one.get(found.shard());
            }
            if (destination instanceof Destination.Missing missing) {
                return new Route.NeedsKeys(missing.lookup(), missing.keys());
            }
            boolean several = destination instanceof Destination.Several || destination instanceof Destination.Rows;
            if (several && oneShardOnly != null) {
                throw RoutingErrors.notOverSeveral(oneShardOnly);
            }
            if (destination instanceof Destination.Several shards) {
                return new Route.Many(shards.shards().stream().boxed().toList(), Route.Merge.CONCATENATE);
            }
            return ANY;
        }
    }
}
