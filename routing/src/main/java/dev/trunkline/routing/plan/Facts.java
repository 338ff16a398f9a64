package dev.trunkline.routing.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an interpretation has found out about a statement so far. */
final class Facts {

    final Variables variables = new Variables();
    /** Every use of a sharded table, in the order in which they were met. */
    final List<ShardedUse> uses = new ArrayList<>();
    /** What each part that writes rows yields, common table expressions that write among them. */
    final List<Origin> written = new ArrayList<>();
    /** Shards of tables that live on one shard. */
    final BitSet singleShards = new BitSet();

    final List<TableUse> omnishardedWrites = new ArrayList<>();
    final List<KeyChange> keyChanges = new ArrayList<>();
    /** Values of an INSERT into an omnisharded table that must not be DEFAULT. */
    final List<KeyRef> mustBeGiven = new ArrayList<>();

    /** What a DEFAULT among them means can be computed once for all shards. */
    boolean defaultsOnce = true;

    /** Values of dates and times in an omnisharded table: they must not be the word {@code now} or its like. */
    final List<KeySet.Rows> mustBeFixed = new ArrayList<>();

    boolean shardedWrite;
    boolean readsTable;
    boolean systemTable;
    boolean temporaryTable;
    boolean stickyTable;
    boolean unknownRelation;
    /** It calls a function that does not come with PostgreSQL. */
    boolean foreignFunction;

    long lookupWrites;
    /** Of these, the lookups of which entries may change, not only be added. */
    long lookupChanges;

    /** What is written at the top level, if that is one table: its columns, and those that an INSERT lists or means. */
    Once.Target target = Once.Target.NONE;

    /** The columns that an INSERT without a column list means; null if it has one, or is none. */
    @Nullable
    List<String> impliedColumns;

    /** Why what the statement computes may differ from shard to shard; null if it may not. */
    private @Nullable String unequal;
    /** Why what it computes may differ from shard to shard unless it is computed once for all; null if it may not. */
    private @Nullable String computed;
    /** Why the shards' rows cannot be joined, whatever their origin; null if they can. */
    private @Nullable String inseparable;

    /**
     * A key that an UPDATE sets.
     *
     * @param use the number of the use
     * @param value where the new key stands
     * @param target the key as it is stored
     */
    record KeyChange(int use, KeyRef value, KeyTarget target) {}

    /** The statement may change anything that these lookups read. */
    void changesLookups(long marks) {
        lookupWrites |= marks;
        lookupChanges |= marks;
    }

    void differsBecause(String reason) {
        if (unequal == null) {
            unequal = reason;
        }
    }

    @Nullable
    String unequal() {
        return unequal;
    }

    /** Each shard would compute something else, but it need not be computed more than once. */
    void computedBecause(String reason) {
        if (computed == null) {
            computed = reason;
        }
    }

    @Nullable
    String computed() {
        return computed;
    }

    void cannotBeJoinedBecause(String reason) {
        if (inseparable == null) {
            inseparable = reason;
        }
    }

    @Nullable
    String inseparable() {
        return inseparable;
    }
}
