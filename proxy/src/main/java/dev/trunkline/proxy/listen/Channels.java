package dev.trunkline.proxy.listen;

import dev.trunkline.proxy.backend.ServerAddress;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.Wire;
import dev.trunkline.routing.shard.PartitionHash;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What the sessions of one database listen to, in this process. A channel lives on one shard, which its name decides:
 * there NOTIFY goes, and there it is listened to. For all threads.
 */
public final class Channels {

    private record Key(String user, int shard) {}

    private final Map<Key, ListeningConnection> connections = new ConcurrentHashMap<>();
    private final LongAdder listening = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    /** The shard of a channel. */
    public static int shardOf(String channel, int shardCount) {
        byte[] name = channel.getBytes(StandardCharsets.UTF_8);
        return PartitionHash.shard(PartitionHash.ofBytes(name, 0, name.length), shardCount);
    }

    /**
     * A place for what one session is to hear.
     *
     * @param arrived called on the loop when something is there, once for many
     */
    public Inbox inbox(Loop loop, Runnable arrived) {
        return new Inbox(this, loop, arrived);
    }

    /**
     * The connection that listens on a shard for the sessions of a role. It is opened when there is something to listen
     * to, on the loop that asks first, and closed when there is nothing any more.
     */
    public ListeningConnection on(Wire wire, Loop loop, ServerAddress address, String user, Duration timeout) {
        return connections.computeIfAbsent(
                new Key(user, address.shard()), key -> new ListeningConnection(this, wire, loop, address, timeout));
    }

    /** Every channel that is listened to, by name; completes on any thread. */
    public Future<List<ChannelView>> view() {
        List<Future<List<ChannelView>>> all = new ArrayList<>();
        connections.forEach((key, connection) -> all.add(connection.view(key.user)));
        return Future.all(all)
                .map(viewed -> viewed.<List<ChannelView>>list().stream()
                        .flatMap(List::stream)
                        .sorted(Comparator.comparing(ChannelView::channel)
                                .thenComparing(ChannelView::user)
                                .thenComparingInt(ChannelView::shard))
                        .toList());
    }

    void countListening(int change) {
        listening.add(change);
    }

    void countReceived() {
        received.increment();
    }

    void countDropped() {
        dropped.increment();
    }

    /** How many channels sessions listen to at present, each channel counted for each of its sessions. */
    public long listening() {
        return listening.sum();
    }

    /** Notifications that came from servers. */
    public long received() {
        return received.sum();
    }

    /** Notifications that a session did not get because too many waited for it already. */
    public long dropped() {
        return dropped.sum();
    }
}
