package dev.trunkline.conf.load;

import dev.trunkline.conf.Configuration;
import io.vertx.config.ConfigRetriever;
import io.vertx.config.ConfigRetrieverOptions;
import io.vertx.config.ConfigStoreOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The door: reads and validates a configuration file. */
public final class ConfigurationLoader {

    /** The file arrives as one text under this key: its own parser knows lines and refuses a key given twice. */
    private static final String TEXT = "text";

    private ConfigurationLoader() {}

    /**
     * The configuration in a file, environment variables put in; the file is read anew on each call.
     *
     * <p>Fails with a {@link ConfigException} that holds every fault if the file cannot be read or is not valid.
     */
    public static Future<Configuration> load(Vertx vertx, Path file) {
        ConfigRetriever retriever = ConfigRetriever.create(vertx, options(file));
        return retriever
                .getConfig()
                .recover(cause -> Future.failedFuture(unreadable(file, cause)))
                .map(json -> parse(file.toString(), json.getString(TEXT), System::getenv))
                .eventually(retriever::close);
    }

    /**
     * The configuration in a text.
     *
     * @param file the name that faults are reported under
     * @param text JSON
     * @param environment the value of an environment variable, or null when it is not set
     * @throws ConfigException with every fault if the text is not a valid configuration
     */
    public static Configuration parse(String file, String text, Function<String, @Nullable String> environment) {
        return ConfigurationParser.parse(file, text, environment);
    }

    private static ConfigRetrieverOptions options(Path file) {
        JsonObject store = new JsonObject()
                .put("path", file.toAbsolutePath().toString())
                .put("raw.key", TEXT)
                .put("raw.type", "string");
        return new ConfigRetrieverOptions()
                .setIncludeDefaultStores(false)
                .setScanPeriod(-1)
                .addStore(new ConfigStoreOptions()
                        .setType("file")
                        .setFormat("raw")
                        .setConfig(store));
    }

    private static ConfigException unreadable(Path file, Throwable cause) {
        String problem =
                Files.isRegularFile(file) ? "the file cannot be read: " + cause.getMessage() : "there is no such file";
        return new ConfigException(file.toString(), List.of(new Fault("", problem)));
    }
}
