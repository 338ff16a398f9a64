package dev.trunkline.routing.plan;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;

/** Why a statement is refused on a database of several shards. */
public final class RoutingErrors {

    private static final String ADD_KEY = "Add a condition that fixes the sharding key, such as key = value.";

    private RoutingErrors() {}

    /** 0A000: the statement may be valid SQL, but where its rows live cannot be told. */
    public static PgException notAnalysed(String reason) {
        return unsupported("statement cannot be analysed on a database of several shards")
                .withDetail(reason)
                .withHint("Rewrite the statement in a simpler form.");
    }

    /** 0A000: the statement belongs to several shards, and their answers cannot be made one. */
    static PgException crossShard(String reason) {
        return unsupported("statement over several shards is not supported")
                .withDetail(reason)
                .withHint(ADD_KEY);
    }

    /** 0A000: a statement of a kind that runs on one shard, within which another belongs to several. */
    public static PgException notOverSeveral(String what) {
        return unsupported("not supported over several shards: " + what).withHint(ADD_KEY);
    }

    /** 0A000: the setting {@code cross_shard_disabled} admits statements on one shard only. */
    static PgException crossShardDisabled(KeyTarget target) {
        return unsupported("statement over several shards is disabled")
                .withDetail("Nothing fixes the sharding key \"" + target.column() + "\" of table \"" + target.table()
                        + "\" to values of one shard.")
                .withHint(ADD_KEY);
    }

    /** 0A000: a statement of a kind that works on one connection, whose shard nobody could tell. */
    public static PgException notOverSeveralShards(String what, String hint) {
        return unsupported("not supported on a database of several shards: " + what)
                .withHint(hint);
    }

    /** 0A000: an omnisharded table would not hold the same rows on every shard afterwards. */
    public static PgException unequalWrite(String table, String reason) {
        return unsupported("write to omnisharded table \"" + table + "\" would differ from shard to shard")
                .withDetail(reason)
                .withHint("Compute the value in the application and send it as a constant or a parameter.");
    }

    /** 54000: a statement has no more than 65535 parameters, and each computed value is one. */
    public static PgException tooManyComputed() {
        return new PgException(SqlState.PROGRAM_LIMIT_EXCEEDED, "too many values to compute for an omnisharded table")
                .withDetail("One statement takes 65535, its parameters included.")
                .withHint("Insert fewer rows at a time.");
    }

    /** 0A000: one statement writes tables that are on all shards and tables that are not. */
    static PgException mixedWrite() {
        return unsupported("statement writes omnisharded and sharded tables at once")
                .withHint("Use one statement for each, in a transaction.");
    }

    /** 0A000: each shard would compute what it stores from its own rows. */
    static PgException writeFromSharded(String table) {
        return unsupported("write to omnisharded table \"" + table + "\" reads a sharded table")
                .withDetail("Each shard would see its own rows only.")
                .withHint("Read the rows first, then write them as constants or parameters.");
    }

    /** 0A000: nobody knows which tables the function reads, and on one shard it sees a part of their rows. */
    static PgException opaqueFunction(String function) {
        return unsupported("function \"" + function + "\" is not supported on a database of several shards")
                .withDetail("It may read tables, and would see the rows of one shard only.")
                .withHint("Declare the function IMMUTABLE if it reads no tables.");
    }

    /** 0A000: the view's own query may need rows of several shards. */
    static PgException viewOverSharded(String view) {
        return unsupported("not supported: view \"" + view + "\" over sharded tables")
                .withHint("Query the tables of the view.");
    }

    /** 0A000: rows would be written where the rules do not see them. */
    static PgException viewWrite(String view) {
        return unsupported("write through view \"" + view + "\" is not supported on a database of several shards")
                .withHint("Write to the table of the view.");
    }

    /** 0A000: no rule says where the rows of the table belong. */
    static PgException unlistedWrite(String table) {
        return unsupported("write to table \"" + table + "\", which is neither sharded nor omnisharded")
                .withHint("Add the table to \"sharded_tables\" or \"omnisharded_tables\", or set \"unlisted_tables\".");
    }

    /** 0A000: the rule of the table does not fit the table. */
    static PgException unusableRule(String table, String reason) {
        return unsupported("sharding rule of table \"" + table + "\" does not fit the table")
                .withDetail(reason)
                .withHint("Correct \"sharded_tables\" in the configuration, or the table.");
    }

    /** 0A000: the key of an inserted row is an expression. */
    static PgException computedKey(String table, String column) {
        return unsupported(
                        "sharding key \"" + column + "\" of table \"" + table + "\" must be a constant or a parameter")
                .withHint("Compute the value in the application.");
    }

    /** 0A000: the rows of one INSERT belong to several shards. */
    public static PgException severalShardsInsert(String table) {
        return unsupported("INSERT of rows of several shards into table \"" + table + "\" is not supported")
                .withHint("Insert the rows of each sharding key value by a statement of its own.");
    }

    /** 0A000: the row would have to move to another shard. */
    static PgException keyUpdate(String table, String column) {
        return unsupported("sharding key updates are forbidden")
                .withDetail("The statement may change column \"" + column + "\" of table \"" + table + "\".")
                .withHint("Insert the row anew and delete the old one.")
                .withObject(null, table, column);
    }

    /** 22004: a row without a key has no shard. */
    public static PgException missingKey(String table, String column) {
        return new PgException(
                        SqlState.NULL_VALUE_NOT_ALLOWED,
                        "null value in sharding key column \"" + column + "\" of table \"" + table + "\"")
                .withDetail("The key is NULL, DEFAULT or not given.")
                .withHint("Give the sharding key of every row.")
                .withObject(null, table, column);
    }

    /** 22023: no list, range or default of the rule's mapping takes the key of an inserted row. */
    public static PgException unmappedKey(String table, String column) {
        return new PgException(
                        SqlState.INVALID_PARAMETER_VALUE,
                        "value of sharding key column \"" + column + "\" of table \"" + table
                                + "\" is not mapped to a shard")
                .withHint("Add the value to the \"mapping\" of the sharding rule.")
                .withObject(null, table, column);
    }

    /** 42P02, as PostgreSQL says it. */
    public static PgException noParameter(int number) {
        return new PgException(SqlState.UNDEFINED_PARAMETER, "there is no parameter $" + number);
    }

    /** 42P01, as PostgreSQL says it: the catalog does not know the table, and no rule names it. */
    static PgException noRelation(String table) {
        return new PgException(SqlState.UNDEFINED_TABLE, "relation \"" + table + "\" does not exist");
    }

    private static PgException unsupported(String message) {
        return new PgException(SqlState.FEATURE_NOT_SUPPORTED, message);
    }
}
