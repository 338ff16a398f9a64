package dev.trunkline.conf.load;

import dev.trunkline.conf.Database;
import dev.trunkline.conf.Role;
import dev.trunkline.conf.load.Draft.Placed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Rules between the servers of a database. */
final class DatabaseRules {

    private DatabaseRules() {}

    static void atLeastOne(Draft draft, Faults faults) {
        if (draft.databases().isEmpty()) {
            faults.add("databases", "at least one is required");
        }
    }

    /** Key values are distributed over the number of shards: a hole would leave rows without a home. */
    static void shardsWithoutHoles(Draft draft, Faults faults) {
        if (!draft.hasAllServers()) {
            return;
        }
        for (String database : draft.databaseNames()) {
            Set<Integer> shards = draft.servers(database).stream()
                    .map(server -> server.record().shard())
                    .collect(Collectors.toSet());
            int highest = shards.stream().mapToInt(Integer::intValue).max().orElse(0);
            String missing = IntStream.range(0, highest)
                    .filter(shard -> !shards.contains(shard))
                    .limit(5)
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(", "));
            if (!missing.isEmpty()) {
                faults.add(
                        "databases",
                        "the shards of \"" + database + "\" must be numbered from 0 without holes, missing: "
                                + missing);
            }
        }
    }

    static void onePrimaryPerShard(Draft draft, Faults faults) {
        record Shard(String database, int number) {}
        Map<Shard, String> primaries = new HashMap<>();
        for (Placed<Database> server : Draft.sound(draft.databases())) {
            Database database = server.record();
            Shard shard = new Shard(database.name(), database.shard());
            String first = database.role() == Role.PRIMARY ? primaries.putIfAbsent(shard, server.place()) : null;
            if (first != null) {
                faults.add(
                        server.place(),
                        "shard " + shard.number() + " of \"" + shard.database() + "\" already has a primary (" + first
                                + ")");
            }
        }
        rejectShardsWithoutPrimary(draft, faults);
    }

    private static void rejectShardsWithoutPrimary(Draft draft, Faults faults) {
        if (!draft.hasAllServers()) {
            return;
        }
        for (String database : draft.databaseNames()) {
            Map<Integer, List<Role>> roles = draft.servers(database).stream()
                    .map(Placed::record)
                    .collect(Collectors.groupingBy(
                            Database::shard, Collectors.mapping(Database::role, Collectors.toList())));
            roles.forEach((shard, ofShard) -> {
                if (ofShard.stream().allMatch(Role.REPLICA::equals)) {
                    faults.add("databases", "shard " + shard + " of \"" + database + "\" has no primary");
                }
            });
        }
    }

    /** One server database under two shard numbers would double every answer. */
    static void everyServerOnce(Draft draft, Faults faults) {
        record Address(String database, String host, int port, String databaseName) {}
        rejectRepeated(
                draft,
                database -> new Address(database.name(), database.host(), database.port(), database.databaseName()),
                "the same host, port and \"database_name\" as ",
                faults);
    }

    private static void rejectRepeated(
            Draft draft, Function<Database, Object> identity, String problem, Faults faults) {
        Map<Object, String> seen = new HashMap<>();
        for (Placed<Database> server : Draft.sound(draft.databases())) {
            String first = seen.putIfAbsent(identity.apply(server.record()), server.place());
            if (first != null) {
                faults.add(server.place(), problem + first);
            }
        }
    }

    static void onePoolerMode(Draft draft, Faults faults) {
        Map<String, @Nullable Placed<Database>> firsts = new HashMap<>();
        for (Placed<Database> server : Draft.sound(draft.databases())) {
            Placed<Database> first = firsts.putIfAbsent(server.record().name(), server);
            if (first != null && first.record().poolerMode() != server.record().poolerMode()) {
                faults.add(server.place("pooler_mode"), "must be the same as that of " + first.place());
            }
        }
    }
}
