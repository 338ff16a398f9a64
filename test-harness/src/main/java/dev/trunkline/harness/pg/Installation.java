package dev.trunkline.harness.pg;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL binaries and one prepared data folder, made once per machine and version and kept under the system's
 * folder for temporary files.
 *
 * <p>Any number of JVMs may ask at once: a file lock lets one of them build, and a folder appears by an atomic rename,
 * so that one found is complete.
 *
 * @param home the folder with {@code bin}, {@code lib} and {@code share}
 * @param template a data folder that nobody runs on; copied for each server
 * @param runs where the folders of running clusters lie
 * @param account what servers run as
 */
record Installation(Path home, Path template, Path runs, ServerAccount account) {

    /** Changes whenever {@link #prepare} or {@link #ROLES} do, so that an old template is not taken for a new one. */
    private static final String TEMPLATE_VERSION = "1";

    /** Runs in single-user mode: one statement a line. */
    private static final String ROLES = """
            CREATE ROLE app LOGIN PASSWORD 'secret'
            CREATE ROLE app_scram LOGIN PASSWORD 'secret'
            CREATE ROLE app_md5 LOGIN
            """;

    /** Everybody may use what the superuser makes: tests create tables as postgres and use them as app. */
    private static final String GRANTS = """
            GRANT ALL ON SCHEMA public TO PUBLIC
            ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC
            ALTER DEFAULT PRIVILEGES GRANT ALL ON SEQUENCES TO PUBLIC
            """;

    private static final Object IN_THIS_JVM = new Object();

    /** The installation for the binaries on the class path, or for those in the folder {@code -Dpg.home}. */
    static Installation get() {
        Path base = Path.of(System.getProperty("java.io.tmpdir"), "trunkline-pg-" + System.getProperty("user.name"));
        synchronized (IN_THIS_JVM) {
            try {
                makeBase(base);
                try (FileChannel channel = FileChannel.open(
                                base.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                        FileLock lock = channel.lock()) {
                    return build(base);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    String program(String name) {
        return home.resolve("bin").resolve(name).toString();
    }

    private static void makeBase(Path base) throws IOException {
        Files.createDirectories(base);
        String owner = Files.getOwner(base).getName();
        if (!owner.equals(System.getProperty("user.name"))) {
            throw new HarnessException(base + " belongs to " + owner);
        }
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Installation build(Path base) throws IOException {
        Path home = home(base);
        ServerAccount account = ServerAccount.choose(home.resolve("bin/postgres"));
        String name = "data-" + home.getFileName() + "-" + TEMPLATE_VERSION + "-" + account;
        Path runs = Files.createDirectories(base.resolve("runs"));
        Installation made = new Installation(home, base.resolve(name).resolve("data"), runs, account);
        if (!Files.exists(made.template)) {
            made.prepare(base.resolve(name));
        }
        return made;
    }

    private static Path home(Path base) throws IOException {
        String given = System.getProperty("pg.home");
        if (given != null) {
            return Path.of(given);
        }
        Path home = base.resolve("bin-" + archiveHash());
        if (!Files.exists(home)) {
            Path fresh = emptyBeside(home);
            extract(fresh);
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        }
        return home;
    }

    private void prepare(Path folder) throws IOException {
        Path fresh = emptyBeside(folder);
        account.own(fresh);
        String data = fresh.resolve("data").toString();
        Processes.run(account.command(
                program("initdb"),
                "--pgdata=" + data,
                "--username=postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync"));
        singleUser(data, "postgres", ROLES);
        // An md5 hash is stored only when it is given as one: md5 of the password and the name behind it.
        singleUser(
                data,
                "postgres",
                "UPDATE pg_authid SET rolpassword = 'md5' || md5('secret' || rolname) WHERE rolname = 'app_md5'\n");
        singleUser(data, "template1", GRANTS);
        singleUser(data, "postgres", GRANTS);
        Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
    }

    private void singleUser(String data, String database, String statements) {
        List<String> command = account.command(program("postgres"), "--single", "-F", "-D", data, database);
        String output = Processes.output(command, statements);
        if (output.contains("ERROR:") || output.contains("FATAL:")) {
            throw new HarnessException("cannot prepare the data folder\n" + output);
        }
    }

    private static Path emptyBeside(Path folder) throws IOException {
        Path fresh = folder.resolveSibling(folder.getFileName() + ".new");
        Folders.delete(fresh);
        return Files.createDirectory(fresh);
    }

    private static InputStream archive() {
        InputStream archive = Installation.class.getResourceAsStream("/" + Platform.archiveName());
        if (archive == null) {
            throw new HarnessException("no " + Platform.archiveName() + " on the class path, and no -Dpg.home");
        }
        return archive;
    }

    private static String archiveHash() throws IOException {
        try (DigestInputStream in = new DigestInputStream(archive(), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest(), 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void extract(Path target) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(archive())))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                extract(tar, entry, target.resolve(entry.getName()).normalize());
            }
        }
    }

    private static void extract(TarArchiveInputStream tar, TarArchiveEntry entry, Path file) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(file);
            return;
        }
        Path folder = file.getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(tar, file);
        boolean program = (entry.getMode() & 0111) != 0;
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
    }
}
