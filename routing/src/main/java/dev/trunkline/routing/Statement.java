package dev.trunkline.routing;

import dev.trunkline.routing.sql.Command;
import dev.trunkline.routing.sql.Constants;
import dev.trunkline.routing.sql.Lexer;
import dev.trunkline.routing.sql.SetConfigs;
import dev.trunkline.routing.sql.StatementKind;
import dev.trunkline.routing.sql.Tokens;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One analysed SQL statement; immutable, safe for any thread. What it says of tables holds for the router that made it:
 * after a change of the catalog or the configuration it should be analysed again (a router that gets the statement of
 * another one does so itself, each time).
 */
public final class Statement {

    private final Text place;
    private final Analysis analysis;
    private final Constants constants;
    private final @Nullable Command command;
    private final SetConfigs.Found setConfigs;
    private final @Nullable Splice columnList;

    /** Where a statement stands, and who read it there. */
    record Text(Router router, RoutingContext context, byte[] text, int start, int end) {}

    Statement(
            Text place,
            Analysis analysis,
            Constants constants,
            @Nullable Command command,
            SetConfigs.Found setConfigs,
            @Nullable Splice columnList) {
        this.place = place;
        this.analysis = analysis;
        this.constants = constants;
        this.command = command;
        this.setConfigs = setConfigs;
        this.columnList = columnList;
    }

    public StatementKind kind() {
        return analysis.traits().kind();
    }

    /** The particulars of a statement that the engine itself acts on; null for all others. */
    public @Nullable Command command() {
        return command;
    }

    /** The array that holds the statement, as it was handed in. */
    public byte[] text() {
        return place.text();
    }

    /** Where the statement begins in {@link #text()}; comments before it belong to it. */
    public int start() {
        return place.start();
    }

    /** Where the statement ends in {@link #text()}: at its semicolon, or at the end of the text. */
    public int end() {
        return place.end();
    }

    /** How many characters stand before the statement in {@link #text()}. */
    public int leadingCharacters() {
        return Characters.count(place.text(), place.start());
    }

    /** It changes neither rows nor the state of the session or of the server; false when unsure. */
    public boolean isReadOnly() {
        return analysis.traits().readOnly();
    }

    /** It may change rows; false also for a read that changes a setting, a lock or a sequence only. */
    public boolean writesRows() {
        return analysis.traits().writesRows();
    }

    /** Where it runs depends on values of {@code $n}: before Bind any shard may describe it. */
    public boolean needsParameters() {
        return analysis.traits().needsParameters();
    }

    /** Bit i is set if it may write a relation behind lookup i. Always 0 on a database of one shard. */
    public long lookupWrites() {
        return analysis.traits().lookupWrites();
    }

    /** It is proven that it only adds entries to what lookups read, for keys that had none. */
    public boolean lookupInsertOnly() {
        return analysis.traits().lookupInsertOnly();
    }

    /** It reads or writes a sharded table. */
    public boolean touchesSharded() {
        return analysis.traits().touchesSharded();
    }

    /** It writes an omnisharded table. */
    public boolean writesOmnisharded() {
        return analysis.traits().writesOmnisharded();
    }

    /** It may change what the catalog says: the catalog must be read again when it has committed. */
    public boolean isDdl() {
        return analysis.traits().ddl();
    }

    /** Why the session must keep its server connection afterwards. */
    public Pin pin() {
        return analysis.traits().pin();
    }

    /** The settings that it makes by {@code set_config}, as far as they are known, in order of the text. */
    public List<Command.Setting> setConfigs() {
        return setConfigs.settings();
    }

    /** It calls {@code set_config} in a way that does not tell what is set. */
    public boolean unknownSetConfig() {
        return setConfigs.unknown();
    }

    /** It makes a setting for the transaction, and which is not known. */
    public boolean unknownLocalSetConfig() {
        return setConfigs.unknownLocal();
    }

    /** The same statement of which more is known. */
    Statement with(SetConfigs.Found found) {
        return new Statement(place, analysis, constants, command, found, columnList);
    }

    /**
     * It names a relation or a function that is neither in the catalog nor PostgreSQL's own, nor a common table
     * expression or a temporary relation: the catalog should be read again before the route is believed.
     */
    public boolean hasUnknownRelation() {
        return analysis.traits().unknownRelation();
    }

    /** It locks rows that it reads: SELECT … FOR UPDATE and the like. */
    public boolean forUpdate() {
        return analysis.traits().forUpdate();
    }

    /**
     * The column list of an INSERT or a COPY that has none, to be sent with it: it was routed by the columns that the catalog
     * names, and the table may have others by now. Null for all other statements.
     */
    public @Nullable Splice columnList() {
        return columnList;
    }

    Text place() {
        return place;
    }

    /** Its text, read once more. */
    Tokens tokens() {
        Tokens tokens = new Tokens();
        boolean standardStrings = place.context().standardConformingStrings();
        Lexer.lex(place.text(), place.start(), place.end() - place.start(), standardStrings, tokens);
        return tokens;
    }

    Analysis analysis() {
        return analysis;
    }

    Constants constants() {
        return constants;
    }
}
