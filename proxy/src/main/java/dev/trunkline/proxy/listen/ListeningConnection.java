package dev.trunkline.proxy.listen;

import dev.trunkline.protocol.Frame;
import dev.trunkline.protocol.backend.ErrorResponse;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerAddress;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.backend.ServerOpening;
import dev.trunkline.proxy.backend.Unattended;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server connection that listens for many sessions. A channel is listened to as long as a session wants it. When the
 * connection is lost it is opened again and listens again; what was notified meanwhile is lost, as NOTIFY promises no
 * more.
 *
 * <p>Works on one loop; {@link #listen} and {@link #unlisten} may be called from any thread.
 */
public final class ListeningConnection {

    private static final Logger LOG = LoggerFactory.getLogger(ListeningConnection.class);

    /** Between attempts to reach a server, doubled each time. */
    private static final long FIRST_PAUSE_MILLIS = 100;

    private static final long LONGEST_PAUSE_MILLIS = 5_000;

    /** Who asked for a channel that is not heard yet. */
    private record Waiter(Inbox inbox, Runnable heard, Consumer<PgException> failed) {}

    private static final class Channel {
        private final Set<Inbox> inboxes = new LinkedHashSet<>();
        private final List<Waiter> waiters = new ArrayList<>(1);
        private boolean heard;
        private long received;
        private long dropped;
    }

    private final Channels all;
    private final Wire wire;
    private final Loop loop;
    private final ServerAddress address;
    private final Duration timeout;
    private final Map<String, Channel> channels = new LinkedHashMap<>();
    private @Nullable ServerConnection server;
    private boolean opening;
    private long pauseMillis = FIRST_PAUSE_MILLIS;
    private String lastError = "";

    ListeningConnection(Channels all, Wire wire, Loop loop, ServerAddress address, Duration timeout) {
        this.all = all;
        this.wire = wire;
        this.loop = loop;
        this.address = address;
        this.timeout = timeout;
    }

    /**
     * Puts what is notified on a channel into an inbox, until {@link #unlisten}.
     *
     * @param heard called on the inbox's loop when the server listens: nothing that is notified from then on is missed
     * @param failed called there when it cannot; nothing has changed then
     */
    public void listen(String channel, Inbox inbox, Runnable heard, Consumer<PgException> failed) {
        loop.run(() -> add(channel, new Waiter(inbox, heard, failed)));
    }

    /** Ends that. */
    public void unlisten(String channel, Inbox inbox) {
        loop.run(() -> remove(channel, inbox));
    }

    /** What it listens to, as it is now; from any thread. */
    Future<List<ChannelView>> view(String user) {
        Promise<List<ChannelView>> viewed = Promise.promise();
        loop.execute(() -> viewed.complete(channels.entrySet().stream()
                .map(entry -> new ChannelView(
                        user,
                        address.shard(),
                        entry.getKey(),
                        entry.getValue().inboxes.size(),
                        entry.getValue().received,
                        entry.getValue().dropped))
                .toList()));
        return viewed.future();
    }

    private void add(String name, Waiter waiter) {
        Channel channel = channels.get(name);
        boolean isNew = channel == null;
        if (channel == null) {
            channel = new Channel();
            channels.put(name, channel);
        }
        if (channel.inboxes.add(waiter.inbox)) {
            all.countListening(1);
        }
        if (channel.heard) {
            waiter.inbox.loop().run(waiter.heard);
            return;
        }
        channel.waiters.add(waiter);
        ServerConnection current = server;
        if (current == null) {
            open();
        } else if (isNew) {
            ask(current, name, channel);
        }
    }

    private void remove(String name, Inbox inbox) {
        Channel channel = channels.get(name);
        if (channel == null) {
            return;
        }
        leave(channel, inbox);
        channel.waiters.removeIf(waiter -> waiter.inbox == inbox);
        if (channel.inboxes.isEmpty()) {
            channels.remove(name);
            forget(name);
        }
    }

    private void leave(Channel channel, Inbox inbox) {
        if (channel.inboxes.remove(inbox)) {
            all.countListening(-1);
        }
    }

    private void forget(String name) {
        ServerConnection current = server;
        if (current == null) {
            return;
        }
        if (channels.isEmpty()) {
            server = null;
            current.close();
        } else {
            current.query("UNLISTEN " + quoted(name), Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW));
        }
    }

    // ---- the connection

    private void open() {
        if (opening) {
            return;
        }
        opening = true;
        var unused = ServerOpening.open(wire, loop, address, timeout, new Hearing())
                .onComplete(opened -> {
                    opening = false;
                    if (opened.succeeded()) {
                        opened(opened.result());
                    } else {
                        failed(opened.cause());
                    }
                });
    }

    private void opened(ServerConnection fresh) {
        if (channels.isEmpty()) {
            fresh.close();
            return;
        }
        if (fresh.isLost()) {
            later();
            return;
        }
        server = fresh;
        pauseMillis = FIRST_PAUSE_MILLIS;
        channels.forEach((name, channel) -> ask(fresh, name, channel));
    }

    /** Who has just asked is told; for those who were listening it is tried again. */
    private void failed(Throwable cause) {
        PgException fault = cause instanceof PgException known
                ? known
                : ListenErrors.refused("", address.shard(), String.valueOf(cause.getMessage()));
        LOG.warn("cannot listen on shard {}: {}", address.shard(), fault.getMessage());
        for (String name : List.copyOf(channels.keySet())) {
            failWaiters(name, fault);
        }
        later();
    }

    private void failWaiters(String name, PgException fault) {
        Channel channel = channels.get(name);
        if (channel == null) {
            return;
        }
        List<Waiter> waiters = List.copyOf(channel.waiters);
        channel.waiters.clear();
        for (Waiter waiter : waiters) {
            leave(channel, waiter.inbox);
            waiter.inbox.loop().run(() -> waiter.failed.accept(fault));
        }
        if (channel.inboxes.isEmpty()) {
            channels.remove(name);
        }
    }

    private void later() {
        if (!channels.isEmpty()) {
            loop.later(pauseMillis, this::openAgain);
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        }
    }

    private void openAgain() {
        if (server == null && !channels.isEmpty()) {
            open();
        }
    }

    private void lost(ServerConnection gone) {
        if (gone != server) {
            return;
        }
        server = null;
        if (!channels.isEmpty()) {
            LOG.warn("the connection that listened on shard {} was lost", address.shard());
        }
        channels.values().forEach(channel -> channel.heard = false);
        later();
    }

    // ---- LISTEN

    private void ask(ServerConnection on, String name, Channel channel) {
        on.query("LISTEN " + quoted(name), Reply.of(Reply.Step.QUERY, Reply.Use.SWALLOW, new Reply.Listener() {
            private boolean refused;

            @Override
            public void failed() {
                refused = true;
            }

            @Override
            public void done() {
                if (channels.get(name) != channel) {
                    return;
                }
                if (refused) {
                    failWaiters(name, ListenErrors.refused(name, address.shard(), lastError));
                } else {
                    heard(channel);
                }
            }
        }));
    }

    private static void heard(Channel channel) {
        channel.heard = true;
        for (Waiter waiter : channel.waiters) {
            waiter.inbox.loop().run(waiter.heard);
        }
        channel.waiters.clear();
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    // ---- what the server says

    private final class Hearing extends Unattended {

        @Override
        public void error(ServerConnection on, Reply reply, ByteBuf buffer, int start, int end, boolean fatal) {
            byte[] body = ByteBufUtil.getBytes(buffer, start + Frame.HEADER_BYTES, end - start - Frame.HEADER_BYTES);
            lastError = String.valueOf(
                    ErrorResponse.decode(body, 0, body.length).fields().message());
        }

        @Override
        public void asynchronous(ServerConnection on, byte type, ByteBuf buffer, int start, int end) {
            if (type == 'A') {
                notified(buffer, start, end);
            }
        }

        @Override
        public void lost(ServerConnection on, @Nullable Throwable cause) {
            ListeningConnection.this.lost(on);
        }
    }

    /** NotificationResponse: {@code 'A' | int32 length | int32 process | string channel | string payload}. */
    private void notified(ByteBuf buffer, int start, int end) {
        int from = start + Frame.HEADER_BYTES + Integer.BYTES;
        int to = from < end ? buffer.indexOf(from, end, (byte) 0) : -1;
        if (to < 0) {
            return;
        }
        all.countReceived();
        String name = buffer.toString(from, to - from, StandardCharsets.UTF_8);
        Channel channel = channels.get(name);
        if (channel != null) {
            Inbox.Notification notification =
                    new Inbox.Notification(name, ByteBufUtil.getBytes(buffer, start, end - start));
            channel.received++;
            for (Inbox inbox : channel.inboxes) {
                if (!inbox.offer(notification)) {
                    channel.dropped++;
                }
            }
        }
    }
}
