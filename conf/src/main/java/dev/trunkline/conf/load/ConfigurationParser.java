package dev.trunkline.conf.load;

import dev.trunkline.conf.Admin;
import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.Database;
import dev.trunkline.conf.General;
import dev.trunkline.conf.OmnishardedTables;
import dev.trunkline.conf.Rewrite;
import dev.trunkline.conf.ShardedTable;
import dev.trunkline.conf.User;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns the text of a configuration file into a configuration: keys one by one, then the rules between them. */
final class ConfigurationParser {

    private final Faults faults = new Faults();
    private final RecordReader reader;

    private ConfigurationParser(Function<String, @Nullable String> environment) {
        Substitution substitution = new Substitution(environment, faults);
        this.reader = new RecordReader(new ValueReader(substitution, faults), faults);
    }

    /** @throws ConfigException with all faults if the text is not a valid configuration */
    static Configuration parse(String file, String text, Function<String, @Nullable String> environment) {
        ConfigurationParser parser = new ConfigurationParser(environment);
        Object json = JsonText.parse(text, parser.faults);
        parser.faults.throwIfAny(file);
        Draft draft = parser.draft(json);
        if (draft != null) {
            Rules.check(draft, parser.faults);
        }
        parser.faults.throwIfAny(file);
        return configuration(Objects.requireNonNull(draft));
    }

    /** The sections, or null when the file is not one object. */
    private @Nullable Draft draft(@Nullable Object json) {
        if (!(json instanceof Map<?, ?> root)) {
            faults.add("", "must be an object, not " + ValueReader.describe(json));
            return null;
        }
        reader.rejectUnknownKeys(Key.of(Configuration.class), withoutSchema(root), "");
        Section<General> general = object(General.class, root, "general");
        General settings = general.record() == null ? defaults() : general.record();
        List<Section<Database>> databases = list(Database.class, root, "databases", new Inherited(settings, List.of()));
        List<Database> sound =
                Draft.sound(databases).stream().map(Draft.Placed::record).toList();
        return new Draft(
                general,
                databases,
                list(User.class, root, "users", new Inherited(settings, sound)),
                list(ShardedTable.class, root, "sharded_tables", Inheritance.NONE),
                list(OmnishardedTables.class, root, "omnisharded_tables", Inheritance.NONE),
                object(Rewrite.class, root, "rewrite"),
                object(Admin.class, root, "admin"));
    }

    /** Editors look for {@code $schema}; it says nothing to us. */
    private static Map<?, ?> withoutSchema(Map<?, ?> root) {
        Map<?, ?> rest = new LinkedHashMap<>(root);
        rest.remove("$schema");
        return rest;
    }

    private General defaults() {
        return Objects.requireNonNull(reader.read(General.class, Map.of(), "general", Inheritance.NONE)
                .record());
    }

    private <T extends Record> Section<T> object(Class<T> type, Map<?, ?> root, String key) {
        Object json = root.containsKey(key) ? root.get(key) : Map.of();
        return reader.read(type, json, key, Inheritance.NONE);
    }

    private <T extends Record> List<Section<T>> list(
            Class<T> type, Map<?, ?> root, String key, Inheritance inheritance) {
        return reader.readList(type, root.get(key), key, inheritance);
    }

    private static Configuration configuration(Draft draft) {
        return new Configuration(
                Objects.requireNonNull(draft.general().record()),
                records(draft.databases()),
                records(draft.users()),
                records(draft.shardedTables()).stream()
                        .map(ConfigurationParser::canonical)
                        .toList(),
                records(draft.omnishardedTables()),
                Objects.requireNonNull(draft.rewrite().record()),
                Objects.requireNonNull(draft.admin().record()));
    }

    private static <T extends Record> List<T> records(List<Section<T>> sections) {
        return Draft.sound(sections).stream().map(Draft.Placed::record).toList();
    }

    private static ShardedTable canonical(ShardedTable table) {
        String query = table.query();
        return new ShardedTable(
                table.database(),
                table.schema(),
                table.name(),
                table.column(),
                table.dataType(),
                table.lookup(),
                query == null ? null : LookupQuery.of(query).statement(),
                table.lookupResult(),
                MappingRules.canonical(table.dataType(), table.mapping()));
    }
}
