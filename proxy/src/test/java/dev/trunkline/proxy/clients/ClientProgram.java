package dev.trunkline.proxy.clients;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A script under tools/clients that checks one client, and what it needs.
 *
 * @param name what the client is called
 * @param needs programs and files without which it cannot run; programs are looked for on the search path and where
 *     pg_config says that PostgreSQL's are
 * @param command what runs it, without the place
 */
record ClientProgram(String name, List<String> needs, List<String> command) {

    /** Longer than any of them takes on a slow machine; what hangs ends with its output shown. */
    private static final long LONGEST_SECONDS = 180;

    private static final Path TOOLS = Path.of(System.getProperty("basedir", "."), "..", "tools", "clients")
            .toAbsolutePath()
            .normalize();

    /** How it ended. */
    record Ended(int status, String output) {}

    static ClientProgram shell(String program) {
        return new ClientProgram(program, List.of("bash", "psql", program), List.of("bash", tool(program + ".sh")));
    }

    /** A file under tools/clients. */
    static String tool(String path) {
        return TOOLS.resolve(path).toString();
    }

    /** Why it cannot run here; null if it can. */
    @Nullable
    String missing() {
        for (String need : needs) {
            if (need.contains(File.separator) && !Files.exists(Path.of(need))) {
                return need + " is missing: tools/clients/install.sh installs it";
            }
            if (!need.contains(File.separator)
                    && path().noneMatch(folder -> Files.isExecutable(folder.resolve(need)))) {
                return "there is no program " + need;
            }
        }
        return null;
    }

    private static Stream<Path> path() {
        return Arrays.stream(searchPath().split(File.pathSeparator)).map(Path::of);
    }

    /** PATH, and behind it the folder of PostgreSQL's programs. */
    private static String searchPath() {
        String path = System.getenv().getOrDefault("PATH", "");
        String programs = run(Map.of(), List.of("sh", "-c", "pg_config --bindir 2>/dev/null"))
                .output
                .strip();
        return programs.isEmpty() ? path : path + File.pathSeparator + programs;
    }

    /** The first number of what the program of this name says to --version; 0 if it cannot be run. */
    int majorVersion() {
        if (missing() != null) {
            return 0;
        }
        String version = run(Map.of("PATH", searchPath()), List.of("sh", "-c", name + " --version")).output;
        return Integer.parseInt(version.replaceAll("\\D*(\\d+)(?s:.*)", "$1"));
    }

    /** Runs it to its end. */
    Ended run(Map<String, String> environment, String argument) {
        List<String> whole = new ArrayList<>(command);
        whole.add(argument);
        Map<String, String> all = new HashMap<>(environment);
        all.put("PATH", searchPath());
        return run(all, whole);
    }

    private static Ended run(Map<String, String> environment, List<String> command) {
        try {
            Path output = Files.createTempFile("client", ".out");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
            builder.environment().putAll(environment);
            Process process = builder.start();
            boolean ended = process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
            String text = Files.readString(output, StandardCharsets.UTF_8);
            Files.delete(output);
            return new Ended(ended ? process.exitValue() : -1, ended ? text : text + "\nno end in time");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
