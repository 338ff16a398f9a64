package dev.trunkline.demo;

import dev.trunkline.routing.shard.PartitionHash;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A sample tenant.
 *
 * @param id the sharding key value of its rows
 * @param parent the tenant beside which it lives; null for a root
 */
record Tenant(String id, @Nullable String parent, String name) {

    /** The shard of its rows: the hash of its root, as the lookup query says. */
    int shard(int shardCount) {
        byte[] root = (parent == null ? id : parent).getBytes(StandardCharsets.UTF_8);
        return PartitionHash.shard(PartitionHash.ofBytes(root, 0, root.length), shardCount);
    }
}
