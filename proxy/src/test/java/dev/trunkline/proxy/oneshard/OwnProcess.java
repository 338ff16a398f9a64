package dev.trunkline.proxy.oneshard;

import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A proxy in a process of its own, which may open so many files and no more. Two connections to its server. */
final class OwnProcess implements AutoCloseable {

    private static final String READY = "trunkline ready port=";

    private final Process process;
    private final int port;

    private OwnProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static OwnProcess start(Path folder, int openFiles, PgShards shards) throws IOException {
        Path file = Files.writeString(folder.resolve("config.json"), configuration(shards));
        String command = "ulimit -n " + openFiles + " && exec \"$0\" -Xmx256m -cp \"$1\" dev.trunkline.proxy.Main"
                + " --config \"$2\"";
        Process process = new ProcessBuilder(
                        "bash",
                        "-c",
                        command,
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        System.getProperty("java.class.path"),
                        file.toString())
                .redirectError(new File(folder.toFile(), "log"))
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(READY)) {
                return new OwnProcess(process, Integer.parseInt(line.substring(READY.length())));
            }
        }
        throw new AssertionError("it did not start: " + Files.readString(folder.resolve("log")));
    }

    private static String configuration(PgShards shards) {
        return new JsonObject()
                .put(
                        "general",
                        new JsonObject()
                                .put("host", "127.0.0.1")
                                .put("port", 0)
                                .put("workers", 2)
                                .put("min_pool_size", 0)
                                .put("client_login_timeout", 3_000)
                                .put("auth_type", "trust"))
                .put(
                        "databases",
                        new JsonArray()
                                .add(new JsonObject()
                                        .put("name", TestProxy.DATABASE)
                                        .put("host", shards.host())
                                        .put("port", shards.port(0))
                                        .put("database_name", shards.database())))
                .put(
                        "users",
                        new JsonArray()
                                .add(new JsonObject()
                                        .put("name", PgShards.APP)
                                        .put("database", TestProxy.DATABASE)
                                        .put("pool_size", 2)))
                .encode();
    }

    int port() {
        return port;
    }

    WireClient login() {
        return WireClient.login("127.0.0.1", port, PgShards.APP, TestProxy.DATABASE);
    }

    /** Files that the process has open. */
    long openFiles() {
        String[] files = new File("/proc/" + process.pid() + "/fd").list();
        return files == null ? -1 : files.length;
    }

    /** As a service manager ends it; fails if it does not end. */
    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the proxy does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
