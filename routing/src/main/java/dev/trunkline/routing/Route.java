package dev.trunkline.routing;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.ShardingKey;
import dev.trunkline.routing.shard.CopyTarget;
import dev.trunkline.routing.sql.Command;
import java.util.List;

/**
 * Where a statement runs. Made by the router, read by the engine; a refusal is not a route but a {@code PgException}.
 */
public sealed interface Route {

    /**
     * Exactly one shard.
     *
     * @param shard from 0
     */
    record One(int shard) implements Route {}

    /**
     * Any single shard gives the right answer; the engine prefers one that the transaction already holds, else takes
     * turns.
     *
     * @param sticky the same shard each time within a session (system catalogs: object identifiers differ by shard)
     */
    record Any(boolean sticky) implements Route {}

    /**
     * Several shards, each of them exactly once.
     *
     * @param shards ascending, at least two
     * @param merge how their answers become one
     */
    record Many(List<Integer> shards, Merge merge) implements Route {}

    /**
     * The statement cannot be routed before these keys are verified by the lookup: the snapshot has no row for them
     * (or is not loaded). Resolve, then route again.
     *
     * @param lookup index of the lookup in the database's rules
     * @param keys canonical keys, each once, at least one
     */
    record NeedsKeys(int lookup, List<ShardingKey> keys) implements Route {}

    /**
     * The router could not analyse the statement. One shard may parse it, without executing anything: a syntax error
     * is then PostgreSQL's to report; a statement that parses is answered with the refusal.
     *
     * @param refusal 0A000
     */
    record Unproven(PgException refusal) implements Route {}

    /**
     * An INSERT whose rows belong to several shards: each gets a statement of its own, with its rows in their order.
     * Counts are added. Of the rows that a server returns for a list, it is known in practice that they come in the
     * order of the list.
     *
     * @param parts by ascending shard, at least two
     * @param rowParts for each row of the list, in order, which of the parts has it
     * @param parseFirst a shard must parse the statement as a whole before the parts are carried out: PostgreSQL might
     *     refuse its list of rows where it would take each part
     */
    record Split(List<Part> parts, List<Integer> rowParts, boolean parseFirst) implements Route {}

    /**
     * A write to omnisharded tables some of whose values the first shard computes for all of them: then each gets the
     * same statement.
     *
     * @param shards ascending, at least two
     * @param questions queries that yield one row each: their columns, one query after the other, are the values
     * @param part what each shard gets in place of the statement; its parameters beyond those that the client has bound
     *     are the values, in order; its shard means nothing
     */
    record Computed(List<Integer> shards, List<Question> questions, Part part) implements Route {}

    /**
     * A query that computes values.
     *
     * @param part the query; its shard means nothing
     * @param columns how many values it yields
     */
    record Question(Part part, int columns) {}

    /**
     * A COPY FROM STDIN: every shard takes part, the rows say which of them go where.
     *
     * @param part what each shard gets in place of the statement: it has a column list; its shard means nothing
     * @param options as written
     */
    record Copy(CopyTarget target, Part part, List<Command.CopyOption> options) implements Route {}

    /**
     * The statement of one shard.
     *
     * @param text the whole statement, as UTF-8
     * @param parameters which of the statement's parameters it uses, in the order of its own numbers: the one that is
     *     {@code $1} in it comes first
     * @param pieces where its text comes from, in order
     */
    record Part(int shard, byte[] text, List<Integer> parameters, List<Piece> pieces) {

        /**
         * Where in the client's text an error is that PostgreSQL found in this one.
         *
         * @param source the text from which the statement was split
         * @param position in characters, from 1
         * @return likewise; 0 if that place is not the client's
         */
        public int sourcePosition(byte[] source, int position) {
            int offset = Characters.offset(text, position - 1);
            for (Piece piece : pieces) {
                if (offset >= piece.at && offset < piece.at + piece.length) {
                    return Characters.count(source, piece.from + offset - piece.at) + 1;
                }
            }
            return 0;
        }
    }

    /**
     * Bytes of a part that are the client's own.
     *
     * @param at where they are in the part
     * @param from where they are in the client's text
     */
    record Piece(int at, int from, int length) {}

    /** How the answers of several shards become one. */
    enum Merge {
        /** Rows of all shards concatenated, counts summed: a sharded table. */
        CONCATENATE,
        /** Every shard does the same; rows and count of the lowest shard are the answer: an omnisharded table, DDL. */
        SINGLE_COUNT
    }
}
