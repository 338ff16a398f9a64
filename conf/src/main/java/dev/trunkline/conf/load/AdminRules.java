package dev.trunkline.conf.load;

import dev.trunkline.conf.Admin;

/** Rules of the admin database. */
final class AdminRules {

    private AdminRules() {}

    static void nameIsFree(Draft draft, Faults faults) {
        Admin admin = draft.admin().record();
        if (admin != null && draft.databaseNames().contains(admin.name())) {
            faults.add("admin.name", "\"" + admin.name() + "\" is already the name of a database");
        }
    }
}
