package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.proxy.listen.Channels;
import dev.trunkline.proxy.listen.Inbox;
import dev.trunkline.proxy.listen.ListeningConnection;
import dev.trunkline.proxy.pool.LoopPool;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.sql.Command;
import dev.trunkline.routing.sql.StatementKind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a session listens to by way of the proxy, because it has no server connection of its own. LISTEN takes the channel
 * before it runs, so that nothing which is notified after its transaction is missed; what the session then hears is what
 * its {@link SessionSettings} say, with PostgreSQL's rules for transactions. Clients hear notifications at rest alone:
 * between transactions, when nothing is owed to them.
 */
final class Listening {

    private final Session session;
    private final Set<String> taken = new HashSet<>(0);
    private final Set<String> heard = new HashSet<>(0);
    private @Nullable Inbox inbox;
    private @Nullable Wait wait;
    private boolean closed;

    Listening(Session session) {
        this.session = session;
    }

    /** False when the session listens on a server connection that it keeps. */
    boolean isByProxy() {
        return !session.place().isSessionMode() || session.database().shardCount() > 1;
    }

    /** The channel of a LISTEN that has to be taken before it runs; null if there is none. */
    @Nullable
    String missing(Statement statement) {
        boolean listens = statement.kind() == StatementKind.LISTEN && isByProxy();
        return listens && !heard.contains(channelOf(statement)) ? channelOf(statement) : null;
    }

    /** The first of them. */
    @Nullable
    String missing(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            String channel = missing(statements.get(i));
            if (channel != null) {
                return channel;
            }
        }
        return null;
    }

    private static String channelOf(Statement statement) {
        return statement.command() instanceof Command.Channel channel && channel.channel() != null
                ? channel.channel()
                : "";
    }

    /** Waits for one channel; the client may cancel it. */
    private final class Wait {
        private final String channel;
        private final Runnable ready;
        private final Consumer<Fault> failed;

        Wait(String channel, Runnable ready, Consumer<Fault> failed) {
            this.channel = channel;
            this.ready = ready;
            this.failed = failed;
        }

        void heard() {
            if (ends()) {
                heard.add(channel);
                session.guarded(ready);
            }
        }

        void failed(PgException fault) {
            if (ends()) {
                giveUp(channel);
                session.guarded(() -> failed.accept(Fault.of(fault)));
            }
        }

        private boolean ends() {
            if (wait != this || closed) {
                return false;
            }
            wait = null;
            session.onCancel(null);
            return true;
        }
    }

    /** Takes a channel; one at a time, while the session is suspended. */
    void take(String channel, Runnable ready, Consumer<Fault> failed) {
        if (heard.contains(channel)) {
            ready.run();
            return;
        }
        Wait mine = new Wait(channel, ready, failed);
        wait = mine;
        boolean unused = taken.add(channel);
        session.onCancel(() -> mine.failed(ProtocolErrors.canceled()));
        connection(channel).listen(channel, inbox(), mine::heard, mine::failed);
    }

    private Inbox inbox() {
        Inbox mine = inbox;
        if (mine == null) {
            mine = session.database().channels().inbox(session.loop(), session::hearNotifications);
            inbox = mine;
        }
        return mine;
    }

    private ListeningConnection connection(String channel) {
        SessionPlace place = session.place();
        LoopPool pool = place.pools()[Channels.shardOf(channel, place.database().shardCount())];
        return place.database()
                .channels()
                .on(
                        place.wire(),
                        place.loop(),
                        pool.address(),
                        place.serverUser(),
                        pool.limits().connectTimeout());
    }

    /** True when the session has ever listened to anything. */
    boolean isUsed() {
        return inbox != null;
    }

    /** The client is at rest: it gets what it listens to, and channels that no transaction has kept are given up. */
    void atRest() {
        Inbox mine = inbox;
        if (mine == null) {
            return;
        }
        Set<String> wanted = session.settings().channels();
        if (wait == null && !wanted.equals(taken)) {
            giveUpAllBut(wanted);
        }
        while (session.client().isWritable()) {
            Inbox.Notification next = mine.poll();
            if (next == null) {
                return;
            }
            if (wanted.contains(next.channel())) {
                session.output(next.frame());
            }
        }
    }

    private void giveUpAllBut(Set<String> wanted) {
        for (String channel : Set.copyOf(taken)) {
            if (!wanted.contains(channel)) {
                giveUp(channel);
            }
        }
    }

    private void giveUp(String channel) {
        boolean unused = taken.remove(channel) && heard.remove(channel);
        connection(channel).unlisten(channel, inbox());
    }

    /** The session ends. */
    void close() {
        closed = true;
        wait = null;
        Set.copyOf(taken).forEach(this::giveUp);
    }
}
