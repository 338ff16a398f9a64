package dev.trunkline.routing.plan;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.tree.Body;
import dev.trunkline.routing.tree.Query;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes plans of the trees of data statements. */
public final class Planner {

    private final Environment environment;
    private final Interpreter interpreter;
    private final Facts facts;

    private Planner(Environment environment) {
        this.environment = environment;
        this.interpreter = new Interpreter(environment);
        this.facts = interpreter.facts();
    }

    /**
     * The plan of a statement on a database of several shards; a refusal is a plan, too.
     *
     * @param usesSequence it calls nextval or its like
     */
    public static Planned plan(Query statement, Environment environment, boolean usesSequence) {
        Planner planner = new Planner(environment);
        RoutePlan plan;
        try {
            Rows rows = planner.interpreter.statement(statement);
            plan = planner.decide(statement, rows, usesSequence);
        } catch (PgException refusal) {
            plan = new RoutePlan.Refused(refusal, false);
        }
        return planner.planned(plan);
    }

    private Planned planned(RoutePlan plan) {
        return new Planned(
                plan,
                facts.lookupWrites,
                facts.lookupWrites != 0 && facts.lookupChanges == 0 && !facts.foreignFunction,
                !facts.uses.isEmpty(),
                !facts.omnishardedWrites.isEmpty(),
                facts.unknownRelation,
                facts.impliedColumns);
    }

    private RoutePlan decide(Query statement, Rows rows, boolean usesSequence) {
        if (facts.temporaryTable) {
            throw RoutingErrors.notOverSeveralShards("a temporary table", "Use a table that the configuration lists.");
        }
        if (!facts.omnishardedWrites.isEmpty()) {
            return omnishardedWrite();
        }
        if (!facts.uses.isEmpty()) {
            return sharded(statement, rows);
        }
        if (!facts.singleShards.isEmpty()) {
            return single();
        }
        if (facts.systemTable || facts.stickyTable) {
            return RoutePlan.Fixed.STICKY;
        }
        // Locks on one copy of an omnisharded row exclude others only if everybody locks the same copy: shard 0,
        // where writers begin, too. Sequences of shard 0 give every number once.
        boolean first = usesSequence || (statement.locks() && facts.readsTable);
        return first ? new RoutePlan.Single(0) : RoutePlan.Fixed.ANY;
    }

    private RoutePlan single() {
        if (facts.singleShards.cardinality() > 1) {
            throw RoutingErrors.crossShard("It uses tables of different shards.");
        }
        return new RoutePlan.Single(facts.singleShards.nextSetBit(0));
    }

    private RoutePlan omnishardedWrite() {
        String table = facts.omnishardedWrites.get(0).label();
        if (facts.shardedWrite) {
            throw RoutingErrors.mixedWrite();
        }
        if (!facts.uses.isEmpty() || !facts.singleShards.isEmpty()) {
            throw RoutingErrors.writeFromSharded(table);
        }
        if (facts.systemTable) {
            throw RoutingErrors.unequalWrite(table, "It reads a system table.");
        }
        if (facts.unequal() != null) {
            throw RoutingErrors.unequalWrite(table, facts.unequal());
        }
        if (facts.computed() != null) {
            return new RoutePlan.Computed(once(table, facts.computed()));
        }
        Numbering numbering = new Numbering();
        List<KeyRef> given = facts.mustBeGiven.stream().map(numbering::numbered).toList();
        List<KeySet.Rows> fixed = facts.mustBeFixed.stream()
                .map(rows -> (KeySet.Rows) numbering.numbered(rows))
                .toList();
        Once defaults = facts.defaultsOnce ? once(table, "A default is computed on each shard.") : null;
        return given.isEmpty() && fixed.isEmpty()
                ? RoutePlan.Fixed.ALL
                : new EqualPlan(table, given, fixed, defaults, numbering);
    }

    private Once once(String table, String reason) {
        return new Once(
                RoutingErrors.unequalWrite(table, reason),
                facts.target,
                environment.database().functions,
                environment.searchPath());
    }

    private RoutePlan sharded(Query statement, Rows rows) {
        Numbering numbering = new Numbering();
        Set<KeyedPlan.Bounded> bounded = new LinkedHashSet<>();
        for (ShardedUse use : facts.uses) {
            bounded.add(bounded(use.key(), use.target(), numbering));
        }
        List<KeyedPlan.KeyChange> changes = facts.keyChanges.stream()
                .map(change -> new KeyedPlan.KeyChange(numbering.numbered(change.value()), change.target()))
                .toList();
        List<Origin> origins = origins(statement, rows);
        return new KeyedPlan(
                environment.database().rules,
                List.copyOf(bounded),
                roots(origins, numbering),
                brokenBecause(origins),
                facts.singleShards,
                changes,
                numbering,
                insertsInto(statement));
    }

    private KeyedPlan.Bounded bounded(int key, KeyTarget target, Numbering numbering) {
        return new KeyedPlan.Bounded(numbering.numbered(facts.variables.keys(key)), target);
    }

    /** What must be right on each shard alone: the statement's rows, and whatever it writes. */
    private List<Origin> origins(Query statement, Rows rows) {
        List<Origin> origins = new ArrayList<>(facts.written);
        if (!isWrite(statement)) {
            origins.add(rows.origin());
        }
        return origins;
    }

    private static boolean isWrite(Query statement) {
        Body body = statement.body();
        return body instanceof Body.Insert
                || body instanceof Body.Update
                || body instanceof Body.Delete
                || body instanceof Body.Merge;
    }

    private List<KeyedPlan.Bounded> roots(List<Origin> origins, Numbering numbering) {
        Set<KeyedPlan.Bounded> roots = new LinkedHashSet<>();
        for (Origin origin : origins) {
            if (origin instanceof Origin.Partitioned partitioned) {
                for (Origin.Root root : partitioned.roots()) {
                    facts.uses.stream()
                            .filter(use -> use.key() == root.key())
                            .forEach(use -> roots.add(bounded(root.key(), use.target(), numbering)));
                }
            }
        }
        return List.copyOf(roots);
    }

    /** Why the shards' answers together are not the answer; null if they are. */
    private @Nullable String brokenBecause(List<Origin> origins) {
        if (facts.inseparable() != null) {
            return facts.inseparable();
        }
        if (!facts.singleShards.isEmpty()) {
            return "It uses a table that is on one shard only.";
        }
        if (facts.systemTable) {
            return "It reads a system table.";
        }
        BitSet answered = new BitSet();
        for (Origin origin : origins) {
            String reason = brokenBecause(origin, answered);
            if (reason != null) {
                return reason;
            }
        }
        return answered.cardinality() == facts.uses.size() ? null : "It uses a sharded table apart from the others.";
    }

    private @Nullable String brokenBecause(Origin origin, BitSet answered) {
        if (origin instanceof Origin.Broken broken) {
            return broken.reason();
        }
        if (!(origin instanceof Origin.Partitioned partitioned)) {
            return "Each shard would answer with the same rows.";
        }
        for (Origin.Root root : partitioned.roots()) {
            for (int use = root.firstUse(); use < root.endUse(); use++) {
                if (!follows(facts.uses.get(use), root)) {
                    return "Its sharded tables are not joined by their sharding keys.";
                }
                answered.set(use);
            }
        }
        return null;
    }

    private boolean follows(ShardedUse use, Origin.Root root) {
        return facts.variables.reaches(root.key(), use.key())
                && root.rule().isColocatedWith(use.target().rule());
    }

    /** An INSERT of listed rows is refused in words of its own. */
    private @Nullable String insertsInto(Query statement) {
        boolean listed = statement.body() instanceof Body.Insert insert
                && insert.source() != null
                && insert.source().body() instanceof Body.Values;
        return listed && facts.shardedWrite
                ? facts.uses.stream()
                        .filter(use -> use.target().stored())
                        .map(use -> use.target().table())
                        .findFirst()
                        .orElse(null)
                : null;
    }
}
