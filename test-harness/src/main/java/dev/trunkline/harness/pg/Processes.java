package dev.trunkline.harness.pg;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Runs a short command to its end. */
final class Processes {

    private static final long LONGEST_SECONDS = 60;

    private Processes() {}

    /** Runs a command; fails with its output unless the exit code is 0. */
    static void run(List<String> command) {
        Objects.requireNonNull(output(command, ""));
    }

    /** The output of a command, both streams in one; fails with it unless the exit code is 0. */
    static String output(List<String> command, String input) {
        Outcome outcome = attempt(command, input);
        if (outcome.exitCode() != 0) {
            throw new HarnessException("exit code " + outcome.exitCode() + " of " + command + "\n" + outcome.output());
        }
        return outcome.output();
    }

    /** True if the command exists and ends with exit code 0. */
    static boolean succeeds(List<String> command) {
        try {
            return attempt(command, "").exitCode() == 0;
        } catch (HarnessException e) {
            return false;
        }
    }

    private static Outcome attempt(List<String> command, String input) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String output;
            try (InputStream stdout = process.getInputStream()) {
                output = new String(stdout.readAllBytes(), StandardCharsets.UTF_8);
            }
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new HarnessException("no end within " + LONGEST_SECONDS + " s: " + command);
            }
            return new Outcome(process.exitValue(), output);
        } catch (IOException e) {
            throw new HarnessException("cannot run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HarnessException("interrupted while running " + command, e);
        }
    }

    private record Outcome(int exitCode, String output) {}
}
