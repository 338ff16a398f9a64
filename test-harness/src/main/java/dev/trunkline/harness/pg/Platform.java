package dev.trunkline.harness.pg;

import java.util.Locale;

/** Names the archive of PostgreSQL binaries that fits this machine. */
final class Platform {

    private Platform() {}

    /** The archive's resource name, as its publisher spells it: {@code postgres-linux-x86_64.txz}. */
    static String archiveName() {
        return "postgres-" + system() + "-" + architecture() + ".txz";
    }

    private static String system() {
        String name = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        return name.startsWith("mac") ? "darwin" : "linux";
    }

    private static String architecture() {
        String name = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        return switch (name) {
            case "aarch64", "arm64" -> "arm_64";
            default -> "x86_64";
        };
    }
}
