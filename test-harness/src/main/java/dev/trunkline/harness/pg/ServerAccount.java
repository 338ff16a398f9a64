package dev.trunkline.harness.pg;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The account that servers run under: PostgreSQL refuses to run as root.
 *
 * <p>An ordinary user runs them as itself. Root steps down to the unprivileged user id 65534 ({@code setpriv}), or,
 * where that is not possible, into a user namespace ({@code unshare -U}), in which it is nobody as well. Both replace
 * themselves by the command, so that the process id of the child is that of the server.
 */
enum ServerAccount {
    SELF(List.of()),
    UNPRIVILEGED_ID(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")),
    USER_NAMESPACE(List.of("unshare", "-U"));

    private static final int NOBODY = 65534;

    private final List<String> prefix;

    ServerAccount(List<String> prefix) {
        this.prefix = prefix;
    }

    /** The first account under which the given program can be run as a server may be. */
    static ServerAccount choose(Path program) {
        if (!"root".equals(System.getProperty("user.name"))) {
            return SELF;
        }
        for (ServerAccount account : List.of(UNPRIVILEGED_ID, USER_NAMESPACE)) {
            if (Processes.succeeds(account.command(program.toString(), "--version"))) {
                return account;
            }
        }
        throw new HarnessException("PostgreSQL does not run as root, and neither setpriv nor unshare works here: "
                + "run as an ordinary user");
    }

    /** The command line that runs a command under this account. */
    List<String> command(String... command) {
        return command(List.of(command));
    }

    List<String> command(List<String> command) {
        List<String> line = new ArrayList<>(prefix);
        line.addAll(command);
        return line;
    }

    /** Makes the account the owner of an existing folder. */
    void own(Path folder) throws IOException {
        if (this == UNPRIVILEGED_ID) {
            Files.setAttribute(folder, "unix:uid", NOBODY);
            Files.setAttribute(folder, "unix:gid", NOBODY);
        }
    }
}
