package dev.trunkline.lookup;

import dev.trunkline.lookup.source.ReadForm;
import org.jspecify.annotations.Nullable;

/** One lookup and everything about it that event loops share. */
final class SharedLookup {

    private final LookupDefinition definition;
    private final PublishedMap map;
    private final CommitTickets commits = new CommitTickets();
    private final WriteGate gate = new WriteGate();
    private final LookupCounters counters = new LookupCounters();
    private volatile @Nullable ReadForm form;

    SharedLookup(LookupDefinition definition) {
        this.definition = definition;
        map = new PublishedMap(definition.type());
    }

    LookupDefinition definition() {
        return definition;
    }

    PublishedMap map() {
        return map;
    }

    CommitTickets commits() {
        return commits;
    }

    WriteGate gate() {
        return gate;
    }

    LookupCounters counters() {
        return counters;
    }

    /** How the query is to be read on other connections, as the last load has found; null while nobody knows. */
    @Nullable
    ReadForm form() {
        return form;
    }

    void form(ReadForm found) {
        form = found;
    }
}
