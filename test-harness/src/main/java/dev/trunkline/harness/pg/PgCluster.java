package dev.trunkline.harness.pg;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Several PostgreSQL servers, one per shard, numbered from 0.
 *
 * <p>They end with {@link #close}, and at the latest with this JVM, however it ends; {@code -Dpg.keep=true} keeps data
 * and logs. Most tests want
 * {@link #shared()} and a fresh database on it ({@link PgShards}); one that breaks servers on purpose starts its own.
 */
public final class PgCluster implements AutoCloseable {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final Installation installation;
    private final RunFolder folder;
    private final Map<String, String> settings;
    private final List<PgServer> servers = new ArrayList<>();
    private final List<Runnable> beforeEnd = new ArrayList<>();
    private final Thread hook = new Thread(this::end, "stop-postgres");
    private boolean closed;

    private PgCluster(Map<String, String> settings) {
        this.installation = Installation.get();
        this.folder = RunFolder.create(installation);
        this.settings = settings;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Starts servers of its own for a test: about 0.3 s each. */
    public static PgCluster start(int shards) {
        return start(shards, Map.of(), progress -> {});
    }

    /**
     * Starts servers of its own.
     *
     * @param settings run-time parameters over those of the harness, for instance {@code max_connections=20}
     * @param progress told one line before each step
     */
    public static PgCluster start(int shards, Map<String, String> settings, Consumer<String> progress) {
        progress.accept("preparing PostgreSQL");
        PgCluster cluster = new PgCluster(withDefaults(settings));
        cluster.grow(shards, progress);
        return cluster;
    }

    /** The servers that all tests of this JVM share; it grows on demand, see {@link #shards(int)}. */
    public static PgCluster shared() {
        return Shared.CLUSTER;
    }

    /** A server; shard 0 first. */
    public synchronized PgServer server(int shard) {
        return servers.get(shard);
    }

    /** All servers in the order of their shards. */
    public synchronized List<PgServer> servers() {
        return List.copyOf(servers);
    }

    /** A fresh database of a name of its own on the first servers; missing servers are started, dead ones restarted. */
    public PgShards shards(int count) {
        return shards(count, "t" + DATABASES.incrementAndGet());
    }

    /** As {@link #shards(int)}, with a name for the database. */
    public PgShards shards(int count, String database) {
        grow(count, progress -> {});
        return new PgShards(servers().subList(0, count), database);
    }

    /** Runs something when the cluster ends, with or without its JVM, while the servers still answer. */
    public synchronized void beforeEnd(Runnable action) {
        beforeEnd.add(action);
    }

    /** Stops all servers and deletes their data. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending: the hook runs anyway and finds nothing to do, or has done it all.
        }
        end();
    }

    private synchronized void grow(int count, Consumer<String> progress) {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        List<PgServer> down = new ArrayList<>(
                servers.stream().filter(server -> !server.isRunning()).toList());
        for (int shard = servers.size(); shard < count; shard++) {
            progress.accept("starting shard " + shard);
            PgServer server = new PgServer(installation, folder.path(), "shard" + shard, settings);
            servers.add(server);
            down.add(server);
        }
        down.parallelStream().forEach(PgServer::start);
    }

    private synchronized void end() {
        if (!closed) {
            closed = true;
            beforeEnd.forEach(Runnable::run);
            servers.parallelStream().forEach(PgServer::stop);
            folder.close();
        }
    }

    /**
     * Without fsync a commit costs one write to the operating system's cache, which survives the kill of a server;
     * synchronous_commit stays on, or a killed server would lose what it has confirmed.
     */
    private static Map<String, String> withDefaults(Map<String, String> given) {
        Map<String, String> all = new LinkedHashMap<>(Map.of(
                "listen_addresses", "127.0.0.1",
                "unix_socket_directories", "",
                "fsync", "off",
                "full_page_writes", "off",
                "timezone", "UTC",
                "max_connections", "300",
                "max_prepared_transactions", "100",
                "shared_buffers", "32MB"));
        all.put("log_line_prefix", "%m [%p] %u@%d ");
        all.put("log_timezone", "UTC");
        all.put("autovacuum", "off");
        all.putAll(given);
        return Map.copyOf(all);
    }

    /** Started by the first who asks. */
    private static final class Shared {
        static final PgCluster CLUSTER = start(0);
    }

    /** A cluster's folder: locked while its JVM lives, so that others can tell the folder of a dead one and delete it. */
    private record RunFolder(Path path, FileChannel channel, FileLock lock) {

        private static final AtomicInteger NEXT = new AtomicInteger();

        static RunFolder create(Installation installation) {
            try {
                sweep(installation.runs());
                String name = ProcessHandle.current().pid() + "-" + NEXT.incrementAndGet();
                FileChannel channel = FileChannel.open(
                        installation.runs().resolve(name + ".lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                FileLock lock = channel.lock();
                Path path = Files.createDirectory(installation.runs().resolve(name));
                installation.account().own(path);
                return new RunFolder(path, channel, lock);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void close() {
            try {
                if (Boolean.getBoolean("pg.keep")) {
                    System.err.println("kept for inspection: " + path);
                } else {
                    Folders.delete(path);
                }
                Files.deleteIfExists(path.resolveSibling(path.getFileName() + ".lock"));
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void sweep(Path runs) throws IOException {
            try (DirectoryStream<Path> locks = Files.newDirectoryStream(runs, "*.lock")) {
                for (Path lock : locks) {
                    sweepOne(lock);
                }
            }
        }

        private static void sweepOne(Path file) throws IOException {
            String name = file.getFileName().toString();
            if (name.startsWith(ProcessHandle.current().pid() + "-")) {
                return;
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock()) {
                if (lock != null) {
                    Folders.delete(file.resolveSibling(name.substring(0, name.length() - ".lock".length())));
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
