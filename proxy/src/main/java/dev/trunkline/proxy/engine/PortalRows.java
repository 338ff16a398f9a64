package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.frontend.Describe;
import dev.trunkline.protocol.frontend.ObjectKind;
import dev.trunkline.proxy.backend.Reply;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.backend.ServerStatement;
import dev.trunkline.routing.Statement;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A portal on one server, and whether its rows look as the client was told of its statement's. Drivers ask once and then
 * read rows by that answer, on whatever server connection they come from: one on which the statement was prepared after
 * its table had changed must not answer in another shape. A server refuses that within itself (0A000,
 * RevalidateCachedQuery in its plancache.c); this does it across servers.
 */
final class PortalRows {

    /** What an Execute must do. */
    enum Step {
        /** The rows are what the client expects, or it expects nothing. */
        RUN,
        /** Ask the server first. */
        ASK,
        /** The client would read them wrongly. */
        REFUSE
    }

    private final ClientStatement statement;
    private final @Nullable ServerStatement bound;
    private @Nullable Statement sql;
    private boolean announced;
    private boolean unanswered;

    /**
     * A portal that is being made.
     *
     * @param bound the statement where it is bound; null = on the session's own connection, whose server looks to it
     */
    PortalRows(ClientStatement statement, @Nullable ServerStatement bound) {
        this.statement = statement;
        this.bound = bound;
    }

    ClientStatement statement() {
        return statement;
    }

    /** The statement as its parameters make it; null for a text without any. */
    @Nullable
    Statement sql() {
        return sql == null ? statement.statement() : sql;
    }

    void sql(Statement withValues) {
        sql = withValues;
    }

    /** The client asks what the rows look like: the reply to that. */
    Reply describe() {
        announced = true;
        return describing(Reply.Step.DESCRIBE_PORTAL, statement, bound);
    }

    /** The client asks what a statement's rows look like: the reply to that, from where it is prepared. */
    static Reply describe(ClientStatement statement, @Nullable ServerStatement there) {
        return describing(Reply.Step.DESCRIBE_STATEMENT, statement, there);
    }

    private static Reply describing(Reply.Step step, ClientStatement statement, @Nullable ServerStatement there) {
        ServerStatement told = statement.told();
        if (there == null || told == there && there.isDescribed()) {
            return Reply.of(step, Reply.Use.FORWARD);
        }
        if (told == null) {
            statement.told(there);
        }
        return Reply.of(step, Reply.Use.FORWARD, new Reply.Listener() {
            @Override
            public void described(byte type, ByteBuf buffer, int start, int end) {
                there.describe(type, buffer, start, end);
                statement.told(there);
            }
        });
    }

    /** What an Execute of this portal must do now. */
    Step beforeExecute() {
        ServerStatement told = statement.told();
        // After an error the server runs nothing before the Sync, so an Execute may go there whatever it would give.
        boolean harmless = announced || unanswered;
        if (told == null || bound == null || told == bound || harmless || !told.isDescribed()) {
            return Step.RUN;
        } else if (!bound.isDescribed()) {
            return Step.ASK;
        } else if (told.hasColumnsOf(bound)) {
            statement.told(bound);
            return Step.RUN;
        }
        return Step.REFUSE;
    }

    /**
     * Asks the server what the rows look like, for nobody but us.
     *
     * @param then called when it has said so, or has skipped the question with the rest of a batch that has failed
     * @param lost called when the server was lost
     */
    void ask(ServerConnection server, Runnable then, Runnable lost) {
        FrameWriter out = new FrameWriter();
        new Describe(ObjectKind.STATEMENT, statement.serverName()).encode(out);
        server.send(out.toByteArray(), Reply.of(Reply.Step.DESCRIBE_STATEMENT, Reply.Use.SWALLOW, new Reply.Listener() {
            @Override
            public void described(byte type, ByteBuf buffer, int start, int end) {
                if (bound != null) {
                    bound.describe(type, buffer, start, end);
                }
            }

            @Override
            public void done() {
                then.run();
            }

            @Override
            public void failed() {
                skipped();
            }

            @Override
            public void skipped() {
                unanswered = true;
                then.run();
            }

            @Override
            public void lost() {
                lost.run();
            }
        }));
        server.flush();
    }
}
