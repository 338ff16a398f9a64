package dev.trunkline.routing;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.catalog.Catalog;
import dev.trunkline.routing.plan.DefinitionPlans;
import dev.trunkline.routing.plan.EffectFunctions;
import dev.trunkline.routing.plan.Environment;
import dev.trunkline.routing.plan.Planned;
import dev.trunkline.routing.plan.Planner;
import dev.trunkline.routing.plan.RoutePlan;
import dev.trunkline.routing.plan.RoutingErrors;
import dev.trunkline.routing.shard.ShardingRules;
import dev.trunkline.routing.sql.Classification;
import dev.trunkline.routing.sql.Classifier;
import dev.trunkline.routing.sql.Command;
import dev.trunkline.routing.sql.Definition;
import dev.trunkline.routing.sql.InnerStatement;
import dev.trunkline.routing.sql.Keyword;
import dev.trunkline.routing.sql.Normalizer;
import dev.trunkline.routing.sql.Shape;
import dev.trunkline.routing.sql.SqlTree;
import dev.trunkline.routing.sql.StatementKind;
import dev.trunkline.routing.sql.Tokens;
import dev.trunkline.routing.sql.UnreadableSqlException;
import org.jspecify.annotations.Nullable;

/** Analyses shapes that are new: what their statements are, and where they run. Safe for any thread. */
final class StatementAnalyzer {

    /** Deeper nesting the parser takes long for, or cannot take at all. */
    private static final int MAX_DEPTH = 200;

    private final ShardingRules rules;
    private final Environment.Database database;

    StatementAnalyzer(ShardingRules rules, Catalog catalog) {
        this.rules = rules;
        this.database = new Environment.Database(rules, catalog);
    }

    /** The analysis of the statement whose shape is in the buffers. */
    Analysis analyze(AnalysisBuffers buffers, boolean directive, RoutingContext context) {
        Shape shape = buffers.shape;
        Classification statement = Classifier.classify(buffers.tokens, shape.firstToken(), shape.endToken());
        Command command = Classifier.command(buffers.tokens, shape.firstToken(), shape.endToken());
        if (rules.shardCount() == 1) {
            Planned planned = Planned.of(new RoutePlan.Single(0));
            Classification inner = classifyInner(buffers, statement);
            return analysis(statement, inner, command, planned, null, null);
        }
        if (directive) {
            PgException refusal =
                    RoutingErrors.notOverSeveralShards("a routing directive in a comment", "Remove the comment.");
            return analysis(statement, null, command, refused(refusal), null, null);
        }
        Work work = new Work(buffers, context, statement);
        Planned planned = work.plan();
        return analysis(statement, work.innerKind, command, planned, work.inner, work.oneShardOnly);
    }

    private static Planned refused(PgException refusal) {
        return Planned.of(new RoutePlan.Refused(refusal, false));
    }

    private static @Nullable Classification classifyInner(AnalysisBuffers buffers, Classification statement) {
        InnerStatement inner = statement.inner();
        if (inner == null) {
            return null;
        }
        Shape shape = buffers.shape;
        return Classifier.classify(
                buffers.tokens, inner.firstToken(shape.firstToken()), inner.endToken(shape.endToken()));
    }

    private Analysis analysis(
            Classification statement,
            @Nullable Classification inner,
            @Nullable Command command,
            Planned planned,
            @Nullable InnerStatement innerPlace,
            @Nullable String oneShardOnly) {
        Traits traits = new Traits(
                statement.kind(),
                isReadOnly(statement, inner),
                writesRows(statement, inner),
                planned.plan().needsParameters(),
                planned.lookupWrites(),
                planned.lookupInsertOnly(),
                planned.touchesSharded(),
                planned.writesOmnisharded(),
                isDdl(statement),
                pin(statement, command),
                planned.unknownRelation(),
                statement.rowLocks());
        return new Analysis(
                traits,
                planned.plan(),
                innerPlace,
                command != null,
                statement.callsSetConfig() || statement.kind() == StatementKind.DO,
                oneShardOnly,
                planned.impliedColumns());
    }

    private static boolean isReadOnly(Classification statement, @Nullable Classification inner) {
        boolean onlyRead = EffectFunctions.onlyRead(statement.functions());
        return switch (statement.kind()) {
            case EMPTY, SHOW -> true;
            case READ -> onlyRead;
            case COPY_TO_STDOUT -> onlyRead && (inner == null || inner.kind() == StatementKind.READ);
            case EXPLAIN -> !statement.executes() || (onlyRead && inner != null && inner.kind() == StatementKind.READ);
            default -> false;
        };
    }

    /** What a function of PostgreSQL's own changes (a setting, a lock, a sequence) is no row that a commit must keep. */
    private static boolean writesRows(Classification statement, @Nullable Classification inner) {
        boolean read = statement.kind() == StatementKind.READ;
        return !isReadOnly(statement, inner) && !(read && EffectFunctions.changeNoRows(statement.functions()));
    }

    private static boolean isDdl(Classification statement) {
        Keyword verb = statement.definition().verb();
        return switch (statement.kind()) {
            case DDL -> true;
            case UTILITY_OUTSIDE_BLOCK -> verb == Keyword.CREATE || verb == Keyword.ALTER || verb == Keyword.DROP;
            case WRITE -> statement.definition() != Definition.NONE;
            default -> false;
        };
    }

    private static Pin pin(Classification statement, @Nullable Command command) {
        if (statement.takesSessionLock()) {
            return Pin.ADVISORY_LOCK;
        }
        if (statement.definition().temporary() || putsTemporarySchemaFirst(command)) {
            return Pin.TEMPORARY_TABLE;
        }
        if (statement.definition().verb() == Keyword.LOAD) {
            return Pin.LIBRARY;
        }
        if (command instanceof Command.Cursor cursor && cursor.withHold()) {
            return Pin.HOLD_CURSOR;
        }
        return switch (statement.kind()) {
            case LISTEN -> Pin.LISTEN;
            case PREPARE -> Pin.SQL_PREPARED;
            default -> Pin.NONE;
        };
    }

    /** What is made without a schema's name goes to the first one of the path. */
    private static boolean putsTemporarySchemaFirst(@Nullable Command command) {
        return command instanceof Command.Setting setting
                && setting.name().equals("search_path")
                && setting.value() != null
                && setting.value().regionMatches(isQuoted(setting.value()) ? 1 : 0, "pg_temp", 0, 7);
    }

    private static boolean isQuoted(String value) {
        return value.startsWith("'") || value.startsWith("\"");
    }

    /** The planning of one statement on a database of several shards. */
    private final class Work {

        private final AnalysisBuffers buffers;
        private final RoutingContext context;
        private final Classification statement;
        private @Nullable InnerStatement inner;
        private @Nullable Classification innerKind;
        private @Nullable String oneShardOnly;

        Work(AnalysisBuffers buffers, RoutingContext context, Classification statement) {
            this.buffers = buffers;
            this.context = context;
            this.statement = statement;
            this.innerKind = classifyInner(buffers, statement);
        }

        Planned plan() {
            return switch (statement.kind()) {
                case EMPTY, SHOW -> Planned.of(RoutePlan.Fixed.ANY);
                case READ, WRITE -> data(statement, buffers.shape);
                case BEGIN,
                        COMMIT,
                        ROLLBACK,
                        SAVEPOINT,
                        RELEASE,
                        ROLLBACK_TO,
                        SET,
                        RESET,
                        SET_TRANSACTION,
                        SET_CONSTRAINTS,
                        DISCARD,
                        UNLISTEN -> Planned.of(RoutePlan.Fixed.ALL);
                case PREPARE_TRANSACTION, COMMIT_PREPARED, ROLLBACK_PREPARED ->
                    refuse("a two-phase commit of the client's own", "Use COMMIT.");
                case PREPARE, EXECUTE, DEALLOCATE ->
                    refuse("PREPARE in SQL", "Use prepared statements of the extended query protocol.");
                case FETCH, MOVE, CLOSE ->
                    refuse("FETCH, MOVE or CLOSE of a cursor", "Read the rows without a cursor.");
                case LISTEN, NOTIFY -> refuse("LISTEN or NOTIFY", "Use a connection to one shard.");
                case CALL, DO -> refuse("CALL or DO", "Send the statements of the procedure one by one.");
                case EXPLAIN -> explain();
                case DECLARE -> withInner("DECLARE CURSOR");
                case COPY_TO_STDOUT, COPY_FROM_STDIN, COPY_FILE -> copy();
                case LOCK, TRUNCATE, DDL, UTILITY, UTILITY_OUTSIDE_BLOCK ->
                    DefinitionPlans.plan(statement, buffers.tokens, buffers.shape, environment(buffers.shape));
                case UNKNOWN -> unread("It is of no known kind.");
            };
        }

        private Planned refuse(String what, String hint) {
            return refused(RoutingErrors.notOverSeveralShards(what, hint));
        }

        private Planned unread(String reason) {
            return Planned.of(new RoutePlan.Refused(RoutingErrors.notAnalysed(reason), true));
        }

        private Planned explain() {
            Planned planned = withInner("EXPLAIN");
            if (statement.executes()) {
                return planned;
            }
            // The plan of a write that is not carried out is the same on every shard.
            boolean all = planned.plan() == RoutePlan.Fixed.ALL || planned.plan() instanceof RoutePlan.Computed;
            return new Planned(
                    all ? RoutePlan.Fixed.ANY : planned.plan(),
                    0,
                    false,
                    planned.touchesSharded(),
                    false,
                    planned.unknownRelation(),
                    null);
        }

        /** A statement around one that reads or writes: it runs where that one does, if that is one shard. */
        private Planned withInner(String what) {
            Classification kind = innerKind;
            InnerStatement place = statement.inner();
            boolean data = kind != null && (kind.kind() == StatementKind.READ || kind.kind() == StatementKind.WRITE);
            if (place == null || kind == null || !data) {
                return refuse(what + " of such a statement", "Send the statement itself.");
            }
            inner = place;
            oneShardOnly = what;
            int first = place.firstToken(buffers.shape.firstToken());
            int end = place.endToken(buffers.shape.endToken());
            buffers.inner.of(buffers.tokens, first, end, false);
            return data(kind, buffers.inner);
        }

        private Planned copy() {
            if (statement.inner() == null) {
                Command command =
                        Classifier.command(buffers.tokens, buffers.shape.firstToken(), buffers.shape.endToken());
                return DefinitionPlans.copy(statement.kind(), command, environment(buffers.shape));
            }
            Planned planned = withInner("COPY of a query");
            if (innerKind != null && innerKind.kind() == StatementKind.READ) {
                // Its rows may be joined wherever those of the query may.
                oneShardOnly = null;
            }
            return planned.plan() == RoutePlan.Fixed.ALL || planned.writesOmnisharded()
                    ? refuse("COPY of a statement that writes omnisharded tables", "Send the statement itself.")
                    : planned;
        }

        private Planned data(Classification kind, Shape shape) {
            if (kind.currentOf() != null) {
                return refuse("WHERE CURRENT OF", "Use the primary key of the row.");
            }
            if (kind.definition() != Definition.NONE) {
                return refuse("SELECT INTO", "Use CREATE TABLE, then INSERT ... SELECT.");
            }
            PgException refusal = EffectFunctions.refusal(kind.functions());
            if (refusal != null) {
                return refused(refusal);
            }
            return read(kind, shape);
        }

        private Planned read(Classification kind, Shape shape) {
            String normalized =
                    buffers.tokens.maxDepth() > MAX_DEPTH ? null : Normalizer.normalize(buffers.tokens, shape);
            if (normalized == null) {
                return fallback(kind, shape, "It is nested too deeply, or uses names that are not analysed.");
            }
            try {
                boolean first = EffectFunctions.needFirstShard(kind.functions());
                Planned planned =
                        Planner.plan(SqlTree.read(normalized, shape.rows().count()), environment(shape), first);
                return EffectFunctions.setSequence(kind.functions()) ? onAll(planned) : planned;
            } catch (UnreadableSqlException e) {
                return fallback(kind, shape, e.getMessage());
            } catch (RuntimeException | StackOverflowError e) {
                // A fault of ours or of the parser: PostgreSQL may know better, and the log will tell.
                PgException refusal =
                        RoutingErrors.notAnalysed("Its analysis failed.").withCause(e);
                return Planned.of(new RoutePlan.Refused(refusal, true));
            }
        }

        /** A sequence is set on every shard, as statements that define things are. */
        private Planned onAll(Planned planned) {
            boolean alone = planned.plan() == RoutePlan.Fixed.ANY || planned.plan() instanceof RoutePlan.Single;
            return alone ? Planned.of(RoutePlan.Fixed.ALL) : planned;
        }

        /** A query that names no table of users cannot miss rows of theirs, whatever its syntax is. */
        private Planned fallback(Classification kind, Shape shape, @Nullable String reason) {
            boolean harmless = kind.kind() == StatementKind.READ
                    && DefinitionPlans.namesOnlySystemTables(buffers.tokens, shape, environment(shape));
            return harmless
                    ? Planned.of(RoutePlan.Fixed.STICKY)
                    : unread(reason == null ? "Its syntax is not analysed." : reason);
        }

        private Environment environment(Shape shape) {
            return new Environment(
                    database,
                    context.searchPath(),
                    context.temporaryTables(),
                    list -> shape.rows().parameterStride(list),
                    overridesUserValue(buffers.tokens, shape));
        }
    }

    /** OVERRIDING USER VALUE. */
    private static boolean overridesUserValue(Tokens tokens, Shape shape) {
        for (int i = shape.firstToken(); i + 1 < shape.endToken(); i++) {
            if (tokens.is(i, Keyword.OVERRIDING) && tokens.is(i + 1, Keyword.USER)) {
                return true;
            }
        }
        return false;
    }
}
