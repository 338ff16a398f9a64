package dev.trunkline.harness.pg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One PostgreSQL server with a data folder of its own, on 127.0.0.1; its port stays the same over restarts.
 *
 * <p>Roles: {@code postgres} (superuser) and {@code app} log in without a password, {@code app_scram} and
 * {@code app_md5} with the password {@code secret} by the method of their name. Safe for any thread.
 */
public final class PgServer implements AutoCloseable {

    /** Who may log in and how, unless a test says otherwise: see {@link #hba}. */
    public static final List<String> DEFAULT_HBA = List.of(
            "host all app_scram 127.0.0.1/32 scram-sha-256",
            "host all app_md5 127.0.0.1/32 md5",
            "host all all 127.0.0.1/32 trust");

    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(20);

    private final Installation installation;
    private final Path data;
    private final Path log;
    private final Map<String, String> settings;
    private int port;
    private @Nullable Process process;
    private @Nullable Process watchdog;

    /** A server on a copy of the prepared data folder; not started. */
    PgServer(Installation installation, Path folder, String name, Map<String, String> settings) {
        this.installation = installation;
        this.data = folder.resolve(name);
        this.log = folder.resolve(name + ".log");
        this.settings = Map.copyOf(settings);
        Processes.run(installation
                .account()
                .command("cp", "-Rp", installation.template().toString(), data.toString()));
        hba(DEFAULT_HBA);
    }

    public String host() {
        return "127.0.0.1";
    }

    public synchronized int port() {
        return port;
    }

    /** A JDBC URL for the given database and user. */
    public String url(String database, String user) {
        return "jdbc:postgresql://" + host() + ":" + port() + "/" + database + "?user=" + user
                + "&connectTimeout=10&socketTimeout=60&ApplicationName=harness";
    }

    /** True while the server's process lives. */
    public synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Starts a stopped server and returns once it accepts connections. */
    public synchronized void start() {
        if (isRunning()) {
            throw new IllegalStateException("already running");
        }
        for (int attempt = 1; !tryStart(); attempt++) {
            if (attempt == 5) {
                throw new HarnessException("server does not start\n" + logTail());
            }
        }
    }

    /** Breaks all connections and ends the server at once, without a checkpoint ("immediate" shutdown). */
    public synchronized void stop() {
        end("QUIT");
    }

    /** Rolls back all transactions and shuts down in order ("fast" shutdown): clients get 57P01. */
    public synchronized void stopFast() {
        end("INT");
    }

    /** Kills the server and every process of it, as a crash of the machine would; nothing is said to the clients. */
    public synchronized void kill9() {
        Process running = process;
        if (running != null) {
            List<ProcessHandle> all = new ArrayList<>(running.descendants().toList());
            all.add(0, running.toHandle());
            all.forEach(ProcessHandle::destroyForcibly);
            all.forEach(PgServer::awaitEnd);
        }
        forget();
    }

    /** {@link #stop} if it runs, and {@link #start}. */
    public synchronized void restart() {
        stop();
        start();
    }

    /** Freezes every process of the server: connections stay open and nothing answers, until {@link #thaw}. */
    public synchronized void freeze() {
        signalAll("STOP");
    }

    /** Ends {@link #freeze}. */
    public synchronized void thaw() {
        signalAll("CONT");
    }

    /** Replaces pg_hba.conf; new connections obey it at once if the server runs. */
    public synchronized void hba(List<String> lines) {
        write(data.resolve("pg_hba.conf"), String.join("\n", lines) + "\n");
        if (isRunning()) {
            Sql.run(url("postgres", "postgres"), "SELECT pg_reload_conf()");
        }
    }

    /**
     * Turns encryption on, or replaces the certificate, for new connections of a server that runs.
     *
     * @param certificate the chain as PEM
     * @param key its private key as PEM
     */
    public synchronized void tls(String certificate, String key) {
        write(data.resolve("server.crt"), certificate);
        Path file = data.resolve("server.key");
        write(file, key);
        try {
            installation.account().own(file);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String url = url("postgres", "postgres");
        Sql.run(url, "ALTER SYSTEM SET ssl = on");
        Object before = loadTime(url);
        Sql.run(url, "SELECT pg_reload_conf()");
        // A new session has the time from the postmaster, which takes the new certificate in the same step.
        long deadline = System.nanoTime() + LONGEST_STOP.toNanos();
        while (before.equals(loadTime(url))) {
            if (System.nanoTime() > deadline) {
                throw new HarnessException("the certificate is not taken over\n" + logTail());
            }
        }
    }

    private static Object loadTime(String url) {
        return String.valueOf(Sql.rows(url, "SELECT pg_conf_load_time()").get(0).get(0));
    }

    /** The last lines of the server's log. */
    public String logTail() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
        } catch (IOException e) {
            return "no log: " + e.getMessage();
        }
    }

    /** How many bytes the server has logged so far: where {@link #logSince} is to begin. */
    public long logged() {
        try {
            return Files.size(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines that the server has logged since; set {@code log_statement} to find statements among them. */
    public List<String> logSince(long logged) {
        try {
            byte[] all = Files.readAllBytes(log);
            int from = (int) logged;
            return new String(all, from, all.length - from, StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops the server; its folder goes with the cluster's. */
    @Override
    public void close() {
        stop();
    }

    private boolean tryStart() {
        if (port == 0) {
            port = Ports.free();
        }
        try {
            List<String> command = new ArrayList<>(
                    List.of(installation.program("postgres"), "-D", data.toString(), "-p", Integer.toString(port)));
            settings.forEach((name, value) -> command.add("--" + name + "=" + value));
            Process started = new ProcessBuilder(installation.account().command(command))
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            process = started;
            watchdog = watch(started);
            if (awaitReady(started)) {
                return true;
            }
            forget();
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the server when this JVM dies, however it dies: its end of the pipe closes then. */
    private static Process watch(Process server) throws IOException {
        return new ProcessBuilder("sh", "-c", "read line; kill -QUIT $0", Long.toString(server.pid())).start();
    }

    /** Waits for "ready" in the eighth line of postmaster.pid, as pg_ctl does; false if the server ended. */
    private boolean awaitReady(Process started) {
        Path file = data.resolve("postmaster.pid");
        long deadline = System.nanoTime() + LONGEST_START.toNanos();
        while (System.nanoTime() < deadline) {
            if (awaitEnd(started, Duration.ofMillis(10))) {
                return false;
            }
            if (isReady(file, started.pid())) {
                return true;
            }
        }
        throw new HarnessException("server is not ready within " + LONGEST_START + "\n" + logTail());
    }

    private static boolean isReady(Path file, long pid) {
        try {
            List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
            return lines.size() >= 8
                    && lines.get(0).strip().equals(Long.toString(pid))
                    && lines.get(7).strip().equals("ready");
        } catch (IOException e) {
            // Not written yet, or just being replaced.
            return false;
        }
    }

    private void end(String signal) {
        Process running = process;
        if (running != null && running.isAlive()) {
            kill(signal, List.of(running.pid()));
            if (!awaitEnd(running, LONGEST_STOP)) {
                kill9();
            }
        }
        forget();
    }

    private void signalAll(String signal) {
        Process running = process;
        if (running != null) {
            List<Long> pids = new ArrayList<>(
                    running.descendants().map(ProcessHandle::pid).toList());
            pids.add(0, running.pid());
            kill(signal, pids);
        }
    }

    /** A process that has just ended by itself is no fault. */
    private static void kill(String signal, List<Long> pids) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -" + signal + " \"$@\" || true", "kill"));
        pids.forEach(pid -> command.add(Long.toString(pid)));
        Processes.run(command);
    }

    private void forget() {
        if (watchdog != null) {
            watchdog.destroyForcibly();
        }
        watchdog = null;
        process = null;
    }

    private static boolean awaitEnd(Process process, Duration longest) {
        try {
            return process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HarnessException("interrupted", e);
        }
    }

    private static void awaitEnd(ProcessHandle handle) {
        try {
            handle.onExit().get(LONGEST_STOP.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HarnessException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new HarnessException("process " + handle.pid() + " survives its kill", e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
