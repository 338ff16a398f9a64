package dev.trunkline.proxy.engine;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What COPY FROM STDIN over several shards has moved in one database on one event loop, which alone writes it. */
public final class CopyCounters {

    /** What one shard has got. */
    public record Moved(long rows, long bytes) {
        private static final Moved NOTHING = new Moved(0, 0);

        private Moved and(CopyView.Share share) {
            return new Moved(rows + Math.max(0, share.rows()), bytes + share.bytes());
        }

        private Moved and(Moved other) {
            return new Moved(rows + other.rows, bytes + other.bytes);
        }
    }

    private final Set<CopyProgress> running = new LinkedHashSet<>();
    private final List<CopyView> views = new ArrayList<>();
    private final Map<Integer, Moved> moved = new TreeMap<>();
    private long begun;

    void begun(CopyProgress copy) {
        begun++;
        running.add(copy);
    }

    /** Does nothing a second time. */
    void ended(CopyProgress copy) {
        if (running.remove(copy)) {
            add(copy.view());
        }
    }

    private void add(CopyView view) {
        for (CopyView.Share share : view.shards()) {
            moved.put(
                    share.shard(),
                    moved.getOrDefault(share.shard(), Moved.NOTHING).and(share));
        }
    }

    /** How many have begun. */
    public long count() {
        return begun;
    }

    /** Those that were running when the numbers were taken. */
    public List<CopyView> views() {
        return views;
    }

    /** What each shard has got, by its number; those that are running included. */
    public Map<Integer, Moved> moved() {
        return moved;
    }

    /** Adds the numbers of another as they are now. */
    void add(CopyCounters other) {
        begun += other.begun;
        other.moved.forEach((shard, more) -> moved.merge(shard, more, Moved::and));
        views.addAll(other.views);
        for (CopyProgress copy : other.running) {
            CopyView view = copy.view();
            views.add(view);
            add(view);
        }
    }
}
