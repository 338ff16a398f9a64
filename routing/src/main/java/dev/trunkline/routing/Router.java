package dev.trunkline.routing;

import dev.trunkline.routing.catalog.Catalog;
import dev.trunkline.routing.key.KeyTranslations;
import dev.trunkline.routing.key.Parameters;
import dev.trunkline.routing.plan.RoutingErrors;
import dev.trunkline.routing.shard.ShardingRules;
import dev.trunkline.routing.sql.Keyword;
import dev.trunkline.routing.sql.Lexer;
import dev.trunkline.routing.sql.StatementKind;
import dev.trunkline.routing.sql.Statements;
import dev.trunkline.routing.sql.Tokens;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says what statements are and where they run. Immutable, safe for any thread; replaced as a whole when the catalog or
 * the configuration of its database changes.
 */
public final class Router {

    private final ShardingRules rules;
    private final Route one = new Route.One(0);

    private Router(ShardingRules rules) {
        this.rules = rules;
    }

    /** The router of one database. */
    public static Router of(ShardingRules rules, Catalog catalog, PlanCache cache) {
        return new Router(rules);
    }

    /** How many shards the database has, at least 1. */
    public int shardCount() {
        return rules.shardCount();
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
            Traits traits = traits(tokens.keyword(split.firstToken(i)));
            statements.add(new Statement(text, split.startByte(i), split.endByte(i), traits, null, List.of()));
        }
        return statements;
    }

    /**
     * Where a statement runs.
     *
     * @param statement made by this router
     * @param parameters null before Bind and in the simple protocol
     * @param translations the current snapshots of the database's lookups; each is read once
     * @throws dev.trunkline.protocol.error.PgException if it is refused
     */
    public Route route(Statement statement, @Nullable Parameters parameters, KeyTranslations translations) {
        return shardCount() == 1 ? one : new Route.Unproven(RoutingErrors.notAnalysed("It is of a kind not known."));
    }

    private static Traits traits(Keyword first) {
        StatementKind kind = switch (first) {
            case SELECT, VALUES, TABLE -> StatementKind.READ;
            case INSERT, UPDATE, DELETE, MERGE -> StatementKind.WRITE;
            case BEGIN, START -> StatementKind.BEGIN;
            case COMMIT, END -> StatementKind.COMMIT;
            case ROLLBACK, ABORT -> StatementKind.ROLLBACK;
            default -> StatementKind.UNKNOWN;
        };
        boolean read = kind == StatementKind.READ;
        return new Traits(kind, read, false, 0, false, false, false, false, Pin.NONE, false, false, false);
    }
}
