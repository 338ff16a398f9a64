package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.pg.Ports;
import dev.trunkline.proxy.Main;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** lk-config-validation: a lookup that cannot be right stops the proxy from starting, and it says what is wrong. */
class ConfigurationIT {

    @TempDir
    private Path folder;

    private static List<Arguments> lkConfigValidation() {
        return List.of(
                Arguments.of("no query", rule().putNull("query"), "\"lookup\" and \"query\" must be set together"),
                Arguments.of("no lookup", rule().putNull("lookup"), "\"lookup\" and \"query\" must be set together"),
                Arguments.of("not a SELECT", rule().put("query", "DELETE FROM tenants"), "must be a SELECT"),
                Arguments.of(
                        "two statements", rule().put("query", "SELECT 1, 2; SELECT 3, 4"), "must be one statement"),
                Arguments.of("a parameter", rule().put("query", "SELECT $1, 2"), "must not have parameters"),
                Arguments.of(
                        "not omnisharded", rule().put("lookup", "elsewhere"), "must be listed in omnisharded_tables"),
                Arguments.of(
                        "another database", rule().put("lookup", "foreign"), "must be listed in omnisharded_tables"),
                Arguments.of("a misspelt key", rule().put("lokup", "tenants"), "did you mean \"lookup\""));
    }

    private static JsonObject rule() {
        return Deployment.translated("tenant_id", "varchar", "tenants", Deployment.TENANTS);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void lkConfigValidation(String what, JsonObject rule, String fault) throws IOException {
        int port = Ports.free();
        Path file = write(port, new JsonArray().add(rule));
        for (String command : List.of("run", "check")) {
            Run run = run(command, file);
            assertThat(run.code).as(run.errors).isEqualTo(1);
            assertThat(run.errors).contains("sharded_tables[0]").contains(fault);
        }
        Assertions.assertThatThrownBy(() -> new Socket("127.0.0.1", port).close())
                .as("nothing is started")
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void twoRulesForOneColumnAreRefused() throws IOException {
        Run run = run(
                "check",
                write(
                        Ports.free(),
                        new JsonArray().add(rule()).add(rule().put("query", "SELECT id, id FROM tenants"))));
        assertThat(run.code).isEqualTo(1);
        assertThat(run.errors).contains("sharded_tables[1]");
    }

    @Test
    void everyFaultIsReportedAtOnce() throws IOException {
        Run run = run(
                "check",
                write(
                        Ports.free(),
                        new JsonArray()
                                .add(rule().putNull("query"))
                                .add(rule().put("column", "other").put("query", "VACUUM"))));
        assertThat(run.errors).contains("sharded_tables[0]").contains("sharded_tables[1]");
    }

    /** What one run of the command line came to. */
    private record Run(int code, String errors) {}

    private static Run run(String command, Path file) {
        PrintStream before = System.err;
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
        try {
            int code = new CommandLine(new Main()).execute(command, "--config", file.toString());
            return new Run(code, errors.toString(StandardCharsets.UTF_8));
        } finally {
            System.setErr(before);
        }
    }

    private Path write(int port, JsonArray rules) throws IOException {
        JsonObject configuration = new JsonObject(Map.of(
                "general",
                        new JsonObject()
                                .put("port", port)
                                .put("host", "127.0.0.1")
                                .put("auth_type", "trust"),
                "databases", new JsonArray().add(database("prod")).add(database("other")),
                "users", new JsonArray().add(new JsonObject().put("name", "app").put("database", "prod")),
                "sharded_tables", rules,
                "omnisharded_tables",
                        Deployment.omnisharded("tenants")
                                .add(new JsonObject().put("database", "other").put("tables", List.of("foreign")))));
        return Files.writeString(folder.resolve("config.json"), configuration.encode());
    }

    private static JsonObject database(String name) {
        return new JsonObject().put("name", name).put("host", "127.0.0.1");
    }
}
