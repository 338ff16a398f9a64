package dev.trunkline.routing;

import dev.trunkline.routing.sql.Command;
import dev.trunkline.routing.sql.StatementKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One analysed SQL statement; immutable, safe for any thread. It is valid for the router that made it: after a change of
 * the catalog or the configuration it must be analysed again.
 */
public final class Statement {

    private final byte[] text;
    private final int start;
    private final int end;
    private final Traits traits;
    private final @Nullable Command command;
    private final List<Command.Setting> setConfigs;

    Statement(
            byte[] text,
            int start,
            int end,
            Traits traits,
            @Nullable Command command,
            List<Command.Setting> setConfigs) {
        this.text = text;
        this.start = start;
        this.end = end;
        this.traits = traits;
        this.command = command;
        this.setConfigs = setConfigs;
    }

    public StatementKind kind() {
        return traits.kind();
    }

    /** The particulars of a statement that the engine itself acts on; null for all others. */
    public @Nullable Command command() {
        return command;
    }

    /** The array that holds the statement, as it was handed in. */
    public byte[] text() {
        return text;
    }

    /** Where the statement begins in {@link #text()}. */
    public int start() {
        return start;
    }

    /** Where the statement ends in {@link #text()}: at its semicolon, or at the end of the text. */
    public int end() {
        return end;
    }

    /** It changes neither rows nor the state of the session or of the server. */
    public boolean isReadOnly() {
        return traits.readOnly();
    }

    /** Where it runs depends on values of {@code $n}. */
    public boolean needsParameters() {
        return traits.needsParameters();
    }

    /** Bit i is set if it may write a relation behind lookup i. */
    public long lookupWrites() {
        return traits.lookupWrites();
    }

    /** It is proven that it only adds rows to what lookups read; false when unsure. */
    public boolean lookupInsertOnly() {
        return traits.lookupInsertOnly();
    }

    /** It reads or writes a sharded table. */
    public boolean touchesSharded() {
        return traits.touchesSharded();
    }

    /** It writes an omnisharded table. */
    public boolean writesOmnisharded() {
        return traits.writesOmnisharded();
    }

    /** It may change what the catalog says: the catalog must be read again when it has committed. */
    public boolean isDdl() {
        return traits.ddl();
    }

    /** Why the session must keep its server connection afterwards. */
    public Pin pin() {
        return traits.pin();
    }

    /** The parameters that it sets by {@code set_config} with constants, in order of the text. */
    public List<Command.Setting> setConfigs() {
        return setConfigs;
    }

    /** It calls {@code set_config} in a way that does not tell what is set. */
    public boolean unknownSetConfig() {
        return traits.unknownSetConfig();
    }

    /**
     * It names a relation that is neither in the catalog nor a common table expression, a temporary or a system
     * relation: the catalog should be read again before the route is believed.
     */
    public boolean hasUnknownRelation() {
        return traits.unknownRelation();
    }

    /** It locks rows that it reads: SELECT … FOR UPDATE and the like. */
    public boolean forUpdate() {
        return traits.forUpdate();
    }

    Traits traits() {
        return traits;
    }
}
