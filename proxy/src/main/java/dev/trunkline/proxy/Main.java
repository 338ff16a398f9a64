package dev.trunkline.proxy;

import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.load.ConfigException;
import dev.trunkline.conf.load.ConfigurationLoader;
import dev.trunkline.proxy.twophase.DecisionTable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/** The command line: {@code run} (the default), {@code check} and {@code setup}. */
@Command(
        name = "trunkline",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = "A sharding proxy for PostgreSQL.",
        subcommands = {Main.Run.class, Main.Check.class, Main.Prepare.class})
public final class Main implements Callable<Integer> {

    /** What closing may take once the clients are gone. */
    private static final long CLOSE_MILLIS = 3_000;

    @Option(names = "--config", paramLabel = "FILE", description = "configuration file (default: ${DEFAULT-VALUE})")
    private Path config = Path.of("conf", "config.json");

    /** Runs a command and exits with its code. */
    public static void main(String[] arguments) {
        int code = new CommandLine(new Main()).execute(arguments);
        if (code >= 0) {
            System.exit(code);
        }
    }

    @Override
    public Integer call() {
        return run(config);
    }

    /** Starts the proxy. */
    @Command(name = "run", mixinStandardHelpOptions = true, description = "Start the proxy.")
    static final class Run implements Callable<Integer> {
        @Option(names = "--config", paramLabel = "FILE", description = "configuration file")
        private Path config = Path.of("conf", "config.json");

        @Override
        public Integer call() {
            return run(config);
        }
    }

    /** Validates a configuration. */
    @Command(name = "check", mixinStandardHelpOptions = true, description = "Validate the configuration.")
    static final class Check implements Callable<Integer> {
        @Option(names = "--config", paramLabel = "FILE", description = "configuration file")
        private Path config = Path.of("conf", "config.json");

        @Override
        public Integer call() {
            return load(config) == null ? 1 : 0;
        }
    }

    /** Creates what two-phase commit needs. */
    @Command(
            name = "setup",
            mixinStandardHelpOptions = true,
            description = "Create on every shard the table that two-phase commit needs.")
    static final class Prepare implements Callable<Integer> {
        @Option(names = "--config", paramLabel = "FILE", description = "configuration file")
        private Path config = Path.of("conf", "config.json");

        @Option(names = "--print", description = "print the SQL instead of running it")
        private boolean print;

        @Override
        public Integer call() {
            if (print) {
                System.out.print(DecisionTable.CREATE);
                return 0;
            }
            Configuration configuration = load(config);
            return configuration == null ? 1 : Setup.run(configuration);
        }
    }

    /** The version in the manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"trunkline " + (version == null ? "(development)" : version)};
        }
    }

    private static @Nullable Configuration load(Path file) {
        Vertx vertx = Vertx.vertx();
        try {
            return ConfigurationLoader.load(vertx, file)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ConfigException faults) {
                faults.faults().forEach(fault -> System.err.println(fault));
            } else {
                System.err.println(file + ": " + e.getMessage());
            }
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            var unused = vertx.close();
        }
    }

    /** The exit code; negative: the proxy runs, do not exit. */
    private static int run(Path file) {
        Configuration configuration = load(file);
        if (configuration == null) {
            return 1;
        }
        try {
            Trunkline trunkline = Trunkline.start(configuration, new Process(file))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get();
            long patience =
                    configuration.general().shutdownTimeout().toMillis() + Trunkline.CUT_OFF_MILLIS + CLOSE_MILLIS;
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(trunkline, patience), "shutdown"));
            Hangup.handle(() -> reload(trunkline, file));
            System.out.println("trunkline ready port=" + trunkline.port());
            System.out.flush();
            return -1;
        } catch (ExecutionException e) {
            System.err.println("cannot start: " + e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 1;
        }
    }

    /**
     * The process as its administrator sees it.
     *
     * @param file the configuration
     */
    private record Process(Path file) implements Host {

        @Override
        public Future<Configuration> configuration() {
            Vertx vertx = Vertx.vertx();
            // A promise of no context: those of Vert.x speak on event loops, which end with it.
            Promise<Configuration> loaded = Promise.promise();
            var unused = ConfigurationLoader.load(vertx, file).onComplete(result -> {
                loaded.handle(result);
                var closing = vertx.close();
            });
            return loaded.future();
        }

        @Override
        public void end(boolean atOnce) {
            if (atOnce) {
                Runtime.getRuntime().halt(0);
            }
            // The hook drains; a thread of its own, for the caller is an event loop that it needs.
            new Thread(() -> System.exit(0), "end").start();
        }
    }

    /** A file with faults, or certificates that cannot be used, leave all as it is. */
    private static void reload(Trunkline trunkline, Path file) {
        Configuration configuration = load(file);
        if (configuration == null) {
            System.err.println("not reloaded: " + file + " has faults");
            return;
        }
        var unused = trunkline
                .reload(configuration)
                .onSuccess(done -> System.err.println("reloaded " + file))
                .onFailure(fault -> System.err.println("not reloaded: " + fault.getMessage()));
    }

    /** Ends the process with 0: a JVM that a signal ends would say otherwise. */
    private static void stop(Trunkline trunkline, long patienceMillis) {
        boolean drained = isDone(trunkline.drain(), patienceMillis);
        if (!drained) {
            System.err.println("clients were cut off: they did not end in time");
        }
        // No client is served any more: a connection to a server that does not close holds nobody up.
        if (!isDone(trunkline.close(), CLOSE_MILLIS)) {
            System.err.println("connections were left to the system to close");
        }
        Runtime.getRuntime().halt(drained ? 0 : 1);
    }

    private static boolean isDone(Future<Void> end, long patienceMillis) {
        try {
            Void unused = end.toCompletionStage().toCompletableFuture().get(patienceMillis, TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }
}
