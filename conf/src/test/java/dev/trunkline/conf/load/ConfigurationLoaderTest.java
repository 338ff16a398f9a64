package dev.trunkline.conf.load;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.General;
import dev.trunkline.conf.Secret;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationLoaderTest {

    private static Vertx vertx;

    @TempDir
    private Path folder;

    @BeforeAll
    static void startVertx() {
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stopVertx() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, SECONDS);
    }

    private static Configuration load(Path file) throws InterruptedException, ExecutionException, TimeoutException {
        return ConfigurationLoader.load(vertx, file)
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, SECONDS);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("config.json"), text.replace('\'', '"'));
    }

    private static ConfigException failure(Path file) {
        Throwable failure = catchThrowable(() -> load(file));
        assertThat(failure).hasCauseInstanceOf(ConfigException.class);
        return (ConfigException) failure.getCause();
    }

    @Test
    void loadsTheExample() throws Exception {
        Configuration example = load(Path.of("config.json"));

        assertThat(example.databaseNames()).containsExactly("prod");
        assertThat(example.shardCount("prod")).isEqualTo(2);
        assertThat(example.user("prod", "app").serverPassword()).containsExactly(new Secret("secret"));
        assertThat(example.shardedTables("prod")).hasSize(2);
    }

    @Test
    void theExampleShowsTheDefaults() throws Exception {
        General general = load(Path.of("config.json")).general();

        assertThat(general).isEqualTo(Configurations.parse("{}").general());
    }

    @Test
    void readsTheFileAnewOnEachCall() throws Exception {
        Path file = file("{'databases': [{'name': 'before', 'host': 'a'}]}");
        assertThat(load(file).databaseNames()).containsExactly("before");

        assertThat(load(file("{'databases': [{'name': 'after', 'host': 'a'}]}")).databaseNames())
                .containsExactly("after");
    }

    @Test
    void readsTextAsUtf8() throws Exception {
        Path file = file("{'databases': [{'name': 'büro', 'host': 'a'}]}");

        assertThat(load(file).databaseNames()).containsExactly("büro");
    }

    @Test
    void namesAFileThatDoesNotExist() {
        Path file = folder.resolve("missing.json");

        ConfigException failure = failure(file);

        assertThat(failure.file()).isEqualTo(file.toString());
        assertThat(failure.faults()).containsExactly(new Fault("", "there is no such file"));
        assertThat(failure).hasMessage(file + " is not valid:\n  there is no such file");
    }

    @Test
    void reportsAllFaultsOfAFileAtOnce() throws Exception {
        ConfigException failure = failure(file("""
                        {
                          'general': { 'prot': 6432, 'port': 70000, 'pooler_mode': 'statement', 'tls_client_required': true },
                          'databases': [ { 'name': 'prod', 'host': 'a' }, { 'name': 'prod', 'host': 'b', 'shard': 2 } ],
                          'users': [ { 'name': 'app', 'database': 'prd', 'password': '${PASSWORD_NOT_SET}' },
                                     { 'name': 'app', 'database': 'prd', 'password': 'x' } ],
                          'sharded_tables': [ { 'database': 'prod', 'column': 'id', 'lookup': 'tenants' } ],
                          'omnisharded_tables': [ { 'tables': ['tenants'] } ]
                        }
                        """));

        assertThat(failure.faults())
                .extracting(Fault::toString)
                .containsExactly(
                        "general.prot: unknown key, did you mean \"port\"?",
                        "general.port: must be between 0 and 65535, not 70000",
                        "general.pooler_mode: must be \"transaction\" or \"session\", not \"statement\"",
                        "users[0].password: the environment variable PASSWORD_NOT_SET is not set and"
                                + " ${PASSWORD_NOT_SET} has no default",
                        "omnisharded_tables[0]: \"database\" is required",
                        "databases: the shards of \"prod\" must be numbered from 0 without holes, missing: 1",
                        "users[1].database: there is no database \"prd\", did you mean \"prod\"?",
                        "sharded_tables[0]: \"lookup\" and \"query\" must be set together",
                        "sharded_tables[0].lookup: table \"tenants\" must be listed in omnisharded_tables of database"
                                + " \"prod\"");
        assertThat(failure.getMessage().lines()).hasSize(10);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`{\n 'general': {\n  'port' 1\n }\n}` | line 3 | not valid JSON: Unexpected character",
                "`{\n 'general': {\n  'port': 1,\n }\n}` | line 4 | not valid JSON: Unexpected character",
                "`{\n 'general': {},\n 'general': {}\n}` | line 3 | not valid JSON: Duplicate field 'general'",
                "`{\n 'general': {` | line 2 | not valid JSON: Unexpected end-of-input",
                "`{}\n{}` | line 2 | text after the end of the configuration",
                "`` | line 1 | not valid JSON: the file is empty",
                "`hello` | line 1 | not valid JSON: Unrecognized token 'hello'",
            })
    void namesTheLineOfASyntaxError(String text, String place, String problem) throws Exception {
        ConfigException failure = failure(file(text == null ? "" : text));

        assertThat(failure.faults()).hasSize(1);
        assertThat(failure.faults().get(0).place()).isEqualTo(place);
        assertThat(failure.faults().get(0).problem()).startsWith(problem).doesNotContain("Source");
    }

    @Test
    void theWholeMustBeAnObject() throws Exception {
        assertThat(failure(file("[]")).faults()).containsExactly(new Fault("", "must be an object, not a list"));
    }

    @Test
    void letsAnEditorNameTheSchema() throws Exception {
        Path file = file("{'$schema': './config.schema.json', 'databases': [{'name': 'prod', 'host': 'a'}]}");

        assertThat(load(file).databaseNames()).containsExactly("prod");
    }

    @Test
    void aFaultNeverRepeatsASecret() {
        String text = Configurations.text("{'users': [{'name': 'app', 'database': 'prod', 'password': 987654321}]}");

        assertThat(Configurations.faults(text, Map.of()).toString()).doesNotContain("987654321");
    }
}
