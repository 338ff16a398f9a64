package dev.trunkline.conf.load;

import dev.trunkline.conf.Admin;
import dev.trunkline.conf.Database;
import dev.trunkline.conf.General;
import dev.trunkline.conf.OmnishardedTables;
import dev.trunkline.conf.Rewrite;
import dev.trunkline.conf.ShardedTable;
import dev.trunkline.conf.User;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A configuration whose keys were read one by one, before the rules between them are checked; sections with a fault
 * have no record.
 */
record Draft(
        Section<General> general,
        List<Section<Database>> databases,
        List<Section<User>> users,
        List<Section<ShardedTable>> shardedTables,
        List<Section<OmnishardedTables>> omnishardedTables,
        Section<Rewrite> rewrite,
        Section<Admin> admin) {

    /** A section's record with its path. */
    record Placed<T extends Record>(String place, T record) {

        String place(String key) {
            return Section.place(place, key);
        }
    }

    /** The sections without a fault. */
    static <T extends Record> List<Placed<T>> sound(List<Section<T>> sections) {
        return sections.stream().flatMap(Draft::placed).toList();
    }

    private static <T extends Record> Stream<Placed<T>> placed(Section<T> section) {
        @Nullable T record = section.record();
        return record == null ? Stream.empty() : Stream.of(new Placed<>(section.place(), record));
    }

    /** Every server entry could be read: only then do rules about the whole of a database mean something. */
    boolean hasAllServers() {
        return databases.stream().allMatch(section -> section.record() != null);
    }

    /** The names of all databases, also of entries with a fault elsewhere. */
    List<String> databaseNames() {
        return databases.stream()
                .map(section -> section.values().get("name"))
                .filter(Objects::nonNull)
                .map(Object::toString)
                .distinct()
                .toList();
    }

    /** The servers of one database. */
    List<Placed<Database>> servers(String database) {
        return sound(databases).stream()
                .filter(placed -> placed.record().name().equals(database))
                .toList();
    }

    /** How many shards a database has, if they are numbered without holes. */
    int shardCount(String database) {
        return (int) servers(database).stream()
                .mapToInt(placed -> placed.record().shard())
                .distinct()
                .count();
    }
}
