package dev.trunkline.conf.load;

import dev.trunkline.conf.Configuration;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;

/** Configuration texts for tests, written with single quotes. */
final class Configurations {

    private static final String BASE = """
            {
              'databases': [
                { 'name': 'prod', 'host': 'a' },
                { 'name': 'prod', 'host': 'b', 'shard': 1 }
              ],
              'users': [ { 'name': 'app', 'database': 'prod', 'password': 'secret' } ]
            }
            """;

    private Configurations() {}

    /** A text with the sections that are given; "databases" and "users" are filled in where they are missing. */
    static String text(String sections) {
        JsonObject base = json(BASE);
        return base.mergeIn(json(sections)).encode();
    }

    private static JsonObject json(String text) {
        return new JsonObject(text.replace('\'', '"'));
    }

    static Configuration parse(String sections) {
        return parse(sections, Map.of());
    }

    static Configuration parse(String sections, Map<String, String> environment) {
        return ConfigurationLoader.parse("config.json", text(sections), environment::get);
    }

    /** The faults of a text as a user reads them; empty for a valid one. */
    static List<String> faults(String text, Map<String, String> environment) {
        try {
            Configuration valid = ConfigurationLoader.parse("config.json", text, environment::get);
            return valid == null ? List.of("null") : List.of();
        } catch (ConfigException e) {
            return e.faults().stream().map(Fault::toString).toList();
        }
    }
}
