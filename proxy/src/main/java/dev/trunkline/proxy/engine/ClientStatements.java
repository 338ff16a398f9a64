package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.error.ProtocolErrors;
import dev.trunkline.protocol.frontend.Parse;
import dev.trunkline.routing.Pin;
import dev.trunkline.routing.Statement;
import dev.trunkline.routing.sql.Command;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The prepared statements of one client, by the names that it has given them. */
final class ClientStatements {

    private final Session session;
    private final Map<String, ClientStatement> named = new HashMap<>(0);
    private @Nullable ClientStatement unnamed;

    ClientStatements(Session session) {
        this.session = session;
    }

    /** How many have a name. */
    int count() {
        return named.size();
    }

    /** The statement of this name, empty for the unnamed one; null = none. */
    @Nullable
    ClientStatement get(String name) {
        return name.isEmpty() ? unnamed : named.get(name);
    }

    /** A Close that was skipped has not taken place; a name that is in use again stays with its new statement. */
    void restore(ClientStatement statement) {
        named.putIfAbsent(statement.name(), statement);
    }

    /** Makes a statement of a Parse. Throws 42P05 when the name is taken, 42601 for several statements in one text. */
    ClientStatement remember(Parse parse, List<Statement> statements) {
        String name = parse.statement();
        if (!name.isEmpty() && named.containsKey(name)) {
            throw ProtocolErrors.duplicateStatement(name);
        }
        Statement statement = statements.size() == 1 ? statements.get(0) : null;
        ClientStatement made = new ClientStatement(parse, serverName(parse), statement);
        if (name.isEmpty()) {
            unnamed = made;
        } else {
            named.put(name, made);
        }
        return made;
    }

    /**
     * The unnamed statement, when this is the body of the Parse that made it and its names still mean the same: clients
     * send one text over and over.
     */
    @Nullable
    ClientStatement again(byte[] body) {
        ClientStatement known = unnamed;
        if (known == null || !known.isMadeOf(body)) {
            return null;
        }
        Statement statement = known.statement();
        boolean same = statement != null
                && !statement.hasUnknownRelation()
                && session.routing().asOfNow(statement) == statement;
        if (!same) {
            return null;
        }
        known.told(null);
        return known;
    }

    /** In session mode the server is the client's own: SQL-level EXECUTE finds the client's names there. */
    String serverName(Parse parse) {
        if (parse.statement().isEmpty() || session.place().isSessionMode()) {
            return parse.statement();
        }
        return session.place().names().of(parse, session.routing().context());
    }

    /** The statement of this name. Throws 26000 when there is none. */
    ClientStatement find(String name) {
        ClientStatement statement = get(name);
        if (statement == null) {
            throw ProtocolErrors.unknownStatement(name);
        }
        return statement;
    }

    void forget(String name) {
        if (name.isEmpty()) {
            unnamed = null;
        } else {
            named.remove(name);
        }
    }

    void forget(ClientStatement statement) {
        if (statement.isUnnamed()) {
            if (unnamed == statement) {
                unnamed = null;
            }
        } else {
            named.remove(statement.name(), statement);
        }
    }

    /** DEALLOCATE of one name on several shards; false if there is none. */
    boolean forgetNamed(String name) {
        return named.remove(name) != null;
    }

    /** DEALLOCATE ALL on several shards. */
    void forgetNamed() {
        named.clear();
    }

    /** PREPARE ran: SQL and protocol share their names. */
    void preparedInSql(String name) {
        named.put(name, ClientStatement.inSql(name));
    }

    /** DEALLOCATE of one name ran on a server connection that is held. */
    void deallocated(String name) {
        ClientStatement statement = named.remove(name);
        int shard = session.leases().anyShard();
        if (statement != null && !statement.isInSql() && shard >= 0) {
            session.leases().get(shard).prepared().remove(statement.serverName());
        }
        unpinWithoutSql();
    }

    private void unpinWithoutSql() {
        if (named.values().stream().noneMatch(ClientStatement::isInSql)) {
            session.unpin(Pin.SQL_PREPARED);
        }
    }

    /**
     * The statement that a PREPARE, EXECUTE or DEALLOCATE in SQL names, when servers have it under another name than the
     * client; else null.
     */
    @Nullable
    ClientStatement renamed(Statement inSql) {
        if (session.place().isSessionMode()
                || !(inSql.command() instanceof Command.SqlPrepared prepared)
                || prepared.name() == null) {
            return null;
        }
        ClientStatement statement = named.get(prepared.name());
        return statement == null || statement.isInSql() ? null : statement;
    }

    /** DEALLOCATE ALL or DISCARD ALL ran on the servers that are held. */
    void deallocateAll() {
        named.clear();
        unnamed = null;
        unpinWithoutSql();
        session.leases().deallocated();
    }

    /** A server has parsed this statement: its Parse need not wait for a server again. */
    void parsed(ClientStatement statement) {
        if (!statement.isUnnamed() && !session.place().isSessionMode()) {
            session.database().parsed(statement.serverName());
        }
    }

    /** True when a server has parsed this statement before. */
    boolean isParsed(ClientStatement statement) {
        return !statement.isUnnamed()
                && !session.place().isSessionMode()
                && session.database().isParsed(statement.serverName());
    }
}
