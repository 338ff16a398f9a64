package dev.trunkline.proxy.clients;

import java.util.Locale;

/** Where a client is run. */
enum Place {
    /** One shard, session mode. */
    SESSION("session", 1),
    /** One shard, transaction mode. */
    TRANSACTION("transaction", 1),
    /** Three shards with the demo's tables, transaction mode. */
    SHARDED("transaction", 3);

    private final String mode;
    private final int shards;

    Place(String mode, int shards) {
        this.mode = mode;
        this.shards = shards;
    }

    String mode() {
        return mode;
    }

    int shards() {
        return shards;
    }

    /** What the scripts call it. */
    String argument() {
        return name().toLowerCase(Locale.ROOT);
    }
}
