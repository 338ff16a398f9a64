package dev.trunkline.conf.load;

/** Names that must exist elsewhere in the file. */
final class Names {

    private Names() {}

    /** Records a fault unless {@code databases} has an entry of that name. */
    static void requireDatabase(Draft draft, String place, String database, Faults faults) {
        if (!draft.databaseNames().contains(database)) {
            faults.add(
                    Section.place(place, "database"),
                    "there is no database \"" + database + "\"" + Suggestion.clause(database, draft.databaseNames()));
        }
    }
}
