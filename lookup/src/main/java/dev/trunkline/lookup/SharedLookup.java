package dev.trunkline.lookup;

/** One lookup and everything about it that event loops share. */
final class SharedLookup {

    private final LookupDefinition definition;
    private final PublishedMap map;
    private final CommitTickets commits = new CommitTickets();
    private final WriteGate gate = new WriteGate();
    private final LookupCounters counters = new LookupCounters();

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
}
