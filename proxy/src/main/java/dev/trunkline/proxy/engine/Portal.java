package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.frontend.Bind;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.sql.Command;
import dev.trunkline.routing.sql.StatementKind;
import org.jspecify.annotations.Nullable;

/** A bound statement of a session on a database of several shards. */
final class Portal {

    private final ClientStatement statement;
    private final Bind bind;
    private final @Nullable Statement sql;
    private StatementRunner.@Nullable Placement placement;
    private @Nullable PortalRows rows;
    private int ownChanges;
    private @Nullable ServerConnection on;
    private int boundAt;
    private int unnamedEndedAt;
    private int writesBefore;
    private boolean executed;
    private boolean describeOwed;
    private int maxRows;

    Portal(ClientStatement statement, Bind bind, @Nullable Statement sql) {
        this.statement = statement;
        this.bind = bind;
        this.sql = sql;
    }

    /** What it means since it was bound; null for a text without any statement. */
    @Nullable
    Statement sql() {
        return sql;
    }

    ClientStatement statement() {
        return statement;
    }

    Bind bind() {
        return bind;
    }

    /** Where it runs; null for a statement that the proxy carries out itself. */
    StatementRunner.@Nullable Placement placement() {
        return placement;
    }

    /**
     * Where it is to run.
     *
     * @param ownChangesNow {@link TransactionEnd#ownChanges} as this was found out
     */
    void placement(StatementRunner.Placement newPlacement, int ownChangesNow) {
        placement = newPlacement;
        ownChanges = ownChangesNow;
    }

    /**
     * It is executed, or goes on.
     *
     * @throws dev.trunkline.protocol.error.PgException 0A000 if it begins, and might belong elsewhere by what its own
     *     transaction has written since it was bound
     */
    void executes(int ownChangesNow) {
        if (!executed && ownChanges != ownChangesNow && sql != null && sql.touchesSharded()) {
            throw EngineErrors.mappingChangedSinceBind();
        }
        executed = true;
    }

    /**
     * It is being bound on the one shard where it lives.
     *
     * @param writes {@link Leases#writes} now
     */
    void boundOn(ServerConnection server, int writes) {
        on = server;
        boundAt = server.moment();
        unnamedEndedAt = server.unnamedPortalsEnded();
        writesBefore = writes;
    }

    /** False when its shard does not have it any more: a Sync or a Query of ours, or another portal, came between. */
    boolean isThere() {
        ServerConnection server = on;
        return server != null
                && !server.hasEndedTransactionSince(boundAt)
                && (!bind.portal().isEmpty() || server.unnamedPortalsEnded() == unnamedEndedAt);
    }

    /**
     * True when it can be bound once more and be the same: it has not begun, and does not see what the transaction has
     * written since.
     */
    boolean mayBeBoundAgain(int writes) {
        return !executed && (writes == writesBefore || sql != null && sql.writesRows());
    }

    /** How its rows compare with what the client knows; null when they do not come from one shard. */
    @Nullable
    PortalRows rows() {
        return rows;
    }

    void rows(PortalRows onItsShard) {
        rows = onItsShard;
    }

    /** True when it was bound on the one shard where it lives. */
    boolean isOnOneShard() {
        return placement != null && placement.merge() == null;
    }

    /** True for a statement that the proxy carries out itself. */
    boolean isOurs() {
        return placement == null && sql != null;
    }

    /** True for what ends a transaction, and with it all portals. */
    boolean endsTransaction() {
        return sql != null && (sql.kind() == StatementKind.COMMIT || sql.kind() == StatementKind.ROLLBACK);
    }

    /** True for what a later error before the Sync must take back though no shard has it in a transaction. */
    boolean setsForSession() {
        if (sql == null) {
            return false;
        }
        return switch (sql.kind()) {
            case SET, RESET -> !(sql.command() instanceof Command.Setting setting && setting.local());
            case SET_TRANSACTION -> sql.command() instanceof Command.SetTransaction modes && modes.session();
            case LISTEN, UNLISTEN -> true;
            default -> false;
        };
    }

    /** The client has asked what its rows look like, and will be told with the first shard's answer. */
    boolean isDescribeOwed() {
        return describeOwed;
    }

    void describeOwed(boolean owed) {
        describeOwed = owed;
    }

    /** The most rows that the client takes of it; 0 = all. */
    int maxRows() {
        return maxRows;
    }

    void maxRows(int most) {
        maxRows = most;
    }
}
