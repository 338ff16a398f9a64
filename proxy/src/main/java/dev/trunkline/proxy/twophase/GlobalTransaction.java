package dev.trunkline.proxy.twophase;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A transaction over several shards that commits in two phases.
 *
 * @param instance the {@code instance_id} of the proxy that began it
 * @param number unique within the instance
 * @param decider the shard whose own commit is the decision
 */
public record GlobalTransaction(String instance, long number, int decider) {

    private static final Pattern GID = Pattern.compile("trunkline:([^:]+):([0-9a-f]{16}):(\\d+):(\\d+)");

    /** The part that a shard has prepared. */
    record Part(GlobalTransaction transaction, int shard) {}

    /** The key of its decision. */
    public String key() {
        return "trunkline:%s:%016x:%d".formatted(instance, number, decider);
    }

    /** What the transaction is called on a shard that prepares it; below PostgreSQL's limit of 200 bytes. */
    public String gid(int shard) {
        return key() + ":" + shard;
    }

    /** Reads the name of a prepared transaction; null if it is not one of ours. */
    static @Nullable Part parse(String gid) {
        Matcher matcher = GID.matcher(gid);
        if (!matcher.matches()) {
            return null;
        }
        long number = Long.parseUnsignedLong(matcher.group(2), 16);
        GlobalTransaction transaction =
                new GlobalTransaction(matcher.group(1), number, Integer.parseInt(matcher.group(3)));
        return new Part(transaction, Integer.parseInt(matcher.group(4)));
    }
}
