package dev.trunkline.lookup;

import dev.trunkline.lookup.map.LookupMap;
import dev.trunkline.lookup.map.LookupMapBuilder;

/**
 * Moves the single entries that probes have found into the base, off the event loop, when they have become many: each
 * batch of probes copies them. Only on the loader's event loop.
 */
final class FoundFolding {

    private static final int AT_LEAST = 1024;
    private static final int AT_MOST = 65_536;

    /** Copying the base costs as much as copying this many times the found entries. */
    private static final int BASE_PER_FOUND = 64;

    private final SharedLookup lookup;
    private final Offload offload;
    private boolean busy;

    FoundFolding(SharedLookup lookup, Offload offload) {
        this.lookup = lookup;
        this.offload = offload;
    }

    void foldIfLarge() {
        MapState state = lookup.map().current();
        int limit = Math.max(AT_LEAST, Math.min(AT_MOST, state.base().size() / BASE_PER_FOUND));
        if (busy || !state.isLoaded() || state.found().size() < limit) {
            return;
        }
        busy = true;
        offload.call(() -> merge(state.base(), state.found())).onComplete(result -> {
            busy = false;
            if (result.succeeded()) {
                put(state, result.result());
            }
        });
    }

    private static LookupMap merge(LookupMap base, LookupMap found) {
        LookupMapBuilder builder = LookupMapBuilder.from(base, Long.MAX_VALUE);
        found.forEach(builder::put);
        return builder.build();
    }

    private void put(MapState folded, LookupMap newBase) {
        MapState now = lookup.map().current();
        if (!now.continues(folded)) {
            return;
        }
        LookupMapBuilder left = LookupMapBuilder.of(newBase.type(), Long.MAX_VALUE);
        now.found().forEach((key, value) -> {
            if (key.translatedBy(newBase) == null) {
                left.put(key, value);
            }
        });
        boolean ignoredBecauseInvalidated = lookup.map().replace(now, now.folded(newBase, left.build()));
    }
}
