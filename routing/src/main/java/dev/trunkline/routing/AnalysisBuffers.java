package dev.trunkline.routing;

import dev.trunkline.routing.sql.Shape;
import dev.trunkline.routing.sql.Statements;
import dev.trunkline.routing.sql.Tokens;

/**
 * Room in which {@link Router#analyze} works, filled again and again. Not thread-safe: each event loop has its own.
 */
public final class AnalysisBuffers {

    final Tokens tokens = new Tokens();
    final Statements statements = new Statements();
    final Shape shape = new Shape();
    /** Of the statement within EXPLAIN and its like. */
    final Shape inner = new Shape();

    final RecentPlans recent = new RecentPlans();

    long analyses;

    /** Statements analysed in this room. */
    public long analyses() {
        return analyses;
    }

    /** Makes what this room has counted known to {@link PlanCache#view}; on the loop that it belongs to. */
    public void publishCounts() {
        recent.publishHits();
    }
}
