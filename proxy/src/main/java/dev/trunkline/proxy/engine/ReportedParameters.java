package dev.trunkline.proxy.engine;

import dev.trunkline.protocol.FrameWriter;
import dev.trunkline.protocol.backend.ParameterStatus;
import dev.trunkline.proxy.backend.ServerConnection;
import dev.trunkline.proxy.net.WireChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the client was last told of the run-time parameters that a server reports: it hears of changes only.
 *
 * <p>What changes in a block over several shards is undone by us when the block is: a shard that took part only after a
 * SET had been given it before its own BEGIN and does not take it back, and a SET in a block that has not begun anywhere
 * is tried out on a server that forgets it again (a <em>trial</em>).
 */
final class ReportedParameters {

    private enum Source {
        SERVER,
        TRIAL,
        LOCAL_TRIAL,
        END_OF_TRIAL
    }

    /** A change within a block; a local one is a trial's, and over at COMMIT unless a shard that took part says so. */
    private record Change(String name, @Nullable String before, boolean local) {
        Change lasting() {
            return local ? new Change(name, before, false) : this;
        }
    }

    private final WireChannel client;
    private final Transaction transaction;
    private final HashMap<String, String> told = new HashMap<>();
    private final ArrayList<Change> changes = new ArrayList<>(0);
    private Source source = Source.SERVER;
    private long sum;
    private int version;

    ReportedParameters(WireChannel client, Transaction transaction, Map<String, String> toldAtLogin) {
        this.client = client;
        this.transaction = transaction;
        told.putAll(toldAtLogin);
        told.forEach((name, value) -> sum += ServerConnection.sumOf(name, value));
    }

    /** A server reported a value: tells the client when it knows another one. */
    void report(String name, String value) {
        switch (source) {
            case SERVER -> {
                changes.replaceAll(change -> change.name.equals(name) ? change.lasting() : change);
                note(name, value, false);
            }
            case TRIAL -> note(name, value, false);
            case LOCAL_TRIAL -> note(name, value, true);
            case END_OF_TRIAL -> {}
        }
    }

    private void note(String name, String value, boolean local) {
        String before = tell(name, value);
        if (transaction.isOpen() && !value.equals(before)) {
            changes.add(new Change(name, before, local));
        }
    }

    private @Nullable String tell(String name, String value) {
        String before = told.put(name, value);
        if (!value.equals(before)) {
            sum += ServerConnection.sumOf(name, value) - ServerConnection.sumOf(name, before);
            version++;
            FrameWriter out = new FrameWriter();
            new ParameterStatus(name, value).encode(out);
            client.write(out.toByteArray());
        }
        return before;
    }

    // ---- trials

    /** What is reported from now on comes from a trial; local: of SET LOCAL. */
    void tryOut(boolean local) {
        source = local ? Source.LOCAL_TRIAL : Source.TRIAL;
    }

    /** What is reported from now on is the trial's being taken back, which the client must not see. */
    void takeTrialBack() {
        source = Source.END_OF_TRIAL;
    }

    /** The trial is over. */
    void trialEnded() {
        source = Source.SERVER;
    }

    /** Where {@link #undoTo(int)} goes back to. */
    int mark() {
        return changes.size();
    }

    /** ROLLBACK, or with a mark ROLLBACK TO a savepoint: what has changed since is as it was. */
    void undoTo(int mark) {
        while (changes.size() > mark) {
            Change last = changes.remove(changes.size() - 1);
            if (last.before != null) {
                String unused = tell(last.name, last.before);
            }
        }
    }

    /** COMMIT: what SET LOCAL changed in a trial is as it was. */
    void committed() {
        HashSet<String> kept = new HashSet<>();
        for (int i = changes.size() - 1; i >= 0; i--) {
            Change change = changes.get(i);
            if (!change.local) {
                kept.add(change.name);
            } else if (change.before != null && !kept.contains(change.name)) {
                String unused = tell(change.name, change.before);
            }
        }
        changes.clear();
    }

    /** The session goes on over this server connection: tells the client what differs there. */
    void catchUp(ServerConnection server) {
        if (sum != server.parametersSum()) {
            server.parameters().forEach(this::report);
        }
    }

    /** Another number whenever something has changed. */
    int version() {
        return version;
    }

    /** The value the client knows, e.g. of standard_conforming_strings; empty when it was never told. */
    String value(String name) {
        return told.getOrDefault(name, "");
    }
}
