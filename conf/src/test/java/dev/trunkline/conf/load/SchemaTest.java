package dev.trunkline.conf.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.Admin;
import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.Database;
import dev.trunkline.conf.General;
import dev.trunkline.conf.OmnishardedTables;
import dev.trunkline.conf.Rewrite;
import dev.trunkline.conf.ShardMapping;
import dev.trunkline.conf.ShardedTable;
import dev.trunkline.conf.User;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The JSON schema beside the example says of every key what the records say. */
class SchemaTest {

    private static final Map<String, Class<? extends Record>> SECTIONS = Map.of(
            "general", General.class,
            "database", Database.class,
            "user", User.class,
            "sharded_table", ShardedTable.class,
            "shard_mapping", ShardMapping.class,
            "omnisharded_tables", OmnishardedTables.class,
            "rewrite", Rewrite.class,
            "admin", Admin.class);

    private static JsonObject read(String file) {
        try {
            return new JsonObject(Files.readString(Path.of(file)));
        } catch (IOException e) {
            throw new AssertionError("cannot read " + file, e);
        }
    }

    private static JsonObject definition(String section) {
        return read("config.schema.json").getJsonObject("$defs").getJsonObject(section);
    }

    record Setting(String section, Key key) {

        JsonObject property() {
            return definition(section).getJsonObject("properties").getJsonObject(key.name());
        }

        @Override
        public String toString() {
            return section + "." + key.name();
        }
    }

    static Stream<Setting> settings() {
        return SECTIONS.entrySet().stream()
                .flatMap(section -> Key.of(section.getValue()).stream().map(key -> new Setting(section.getKey(), key)));
    }

    @Test
    void hasADefinitionForEverySectionAndNoOther() {
        JsonObject definitions = read("config.schema.json").getJsonObject("$defs");

        Set<String> sections = new LinkedHashSet<>(definitions.fieldNames());
        sections.remove("environment");
        assertThat(sections).isEqualTo(SECTIONS.keySet());
    }

    @Test
    void namesTheSectionsOfTheConfiguration() {
        List<String> keys = Key.of(Configuration.class).stream().map(Key::name).toList();

        Set<String> names = new LinkedHashSet<>(
                read("config.schema.json").getJsonObject("properties").fieldNames());
        names.remove("$schema");
        assertThat(names).containsExactlyElementsOf(keys);
    }

    static Set<String> sections() {
        return SECTIONS.keySet();
    }

    @ParameterizedTest
    @MethodSource("sections")
    void namesTheSameKeysInTheSameOrder(String section) {
        List<String> keys =
                Key.of(SECTIONS.get(section)).stream().map(Key::name).toList();

        assertThat(definition(section).getJsonObject("properties").fieldNames()).containsExactlyElementsOf(keys);
        assertThat(definition(section).getBoolean("additionalProperties")).isFalse();
    }

    @ParameterizedTest
    @MethodSource("sections")
    void requiresTheSameKeys(String section) {
        List<String> required = Key.of(SECTIONS.get(section)).stream()
                .filter(Key::isRequired)
                .map(Key::name)
                .toList();

        JsonArray inSchema = definition(section).getJsonArray("required", new JsonArray());
        assertThat(inSchema.getList()).isEqualTo(required);
    }

    @ParameterizedTest
    @MethodSource("settings")
    void givesTheSameDefault(Setting setting) {
        Key key = setting.key();
        Object inSchema = setting.property().getValue("default");

        if (key.defaultText() == null) {
            assertThat(inSchema).isNull();
            assertThat(setting.property().containsKey("default"))
                    .isEqualTo(key.isNullable() && key.defaultsTo() == null);
        } else {
            assertThat(String.valueOf(inSchema)).isEqualTo(key.defaultText());
        }
    }

    @ParameterizedTest
    @MethodSource("settings")
    void givesTheSameRange(Setting setting) {
        if (setting.key().range() == null) {
            return;
        }
        assertThat(setting.property().getLong("minimum"))
                .isEqualTo(setting.key().range().min());
        assertThat(setting.property().getLong("maximum"))
                .isEqualTo(setting.key().range().max());
    }

    @ParameterizedTest
    @MethodSource("settings")
    void listsTheSameConstants(Setting setting) {
        Object[] constants = setting.key().type().getEnumConstants();
        if (constants == null) {
            return;
        }
        JsonObject first = setting.property().getJsonArray("anyOf").getJsonObject(0);
        assertThat(first.getJsonArray("enum").getList())
                .isEqualTo(Arrays.stream(constants).map(ValueReader::spelling).toList());
    }

    @ParameterizedTest
    @MethodSource("settings")
    void describesEveryKey(Setting setting) {
        assertThat(setting.property().getString("description")).hasSizeGreaterThan(10);
    }

    private static OutputUnit validate(JsonObject configuration) {
        JsonSchemaOptions options = new JsonSchemaOptions()
                .setDraft(Draft.DRAFT202012)
                .setOutputFormat(OutputFormat.Basic)
                .setBaseUri("https://localhost/config.schema.json");
        return Validator.create(JsonSchema.of(read("config.schema.json")), options)
                .validate(configuration);
    }

    @Test
    void acceptsTheExample() {
        OutputUnit result = validate(read("config.json"));

        assertThat(result.getValid()).as(String.valueOf(result.getErrors())).isTrue();
    }

    @Test
    void acceptsTheEnvironmentInPlaceOfANumber() {
        String sections = "{'general': {'port': '${PORT:-6432}', 'pooler_mode': '${MODE}'}}";

        assertThat(validate(new JsonObject(Configurations.text(sections))).getValid())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'generl': {}}",
                "{'general': {'prot': 1}}",
                "{'general': {'port': '6432'}}",
                "{'general': {'port': 65536}}",
                "{'general': {'pooler_mode': 'statement'}}",
                "{'databases': []}",
                "{'databases': [{'name': 'prod'}]}",
                "{'sharded_tables': [{'database': 'prod', 'column': 'id', 'lookup': 'tenants'}]}",
                "{'omnisharded_tables': [{'database': 'prod'}]}"
            })
    void rejectsWhatTheLoaderRejects(String sections) {
        String text = Configurations.text(sections);

        assertThat(validate(new JsonObject(text)).getValid()).isFalse();
        assertThat(Configurations.faults(text, Map.of())).isNotEmpty();
    }

    @Test
    void everyUnbuiltFeatureNamesAKey() {
        List<String> keys = new ArrayList<>();
        SECTIONS.values()
                .forEach(section ->
                        Key.of(section).forEach(key -> keys.add(section.getSimpleName() + "." + key.name())));

        assertThat(keys).containsAll(UnbuiltFeatures.keys());
    }
}
