package dev.trunkline.harness.fuzz;

import dev.trunkline.harness.wire.WireClient;

/**
 * Sends mutants, each on a connection of its own, and reads all that comes back.
 *
 * @param host of the server or proxy
 * @param port of the server or proxy
 * @param user who logs in before a mutant that does not open the connection itself
 * @param database it logs in to
 * @param password in case it is asked for one
 */
public record MutantClient(String host, int port, String user, String database, String password) {

    /** A client of a user who is trusted. */
    public MutantClient(String host, int port, String user, String database) {
        this(host, port, user, database, "");
    }

    /**
     * Sends the mutant, ends its direction, and reads up to the end of the stream.
     *
     * @throws AssertionError if the stream does not end within ten seconds of silence
     */
    public MutantAnswer send(Mutant mutant) {
        try (WireClient connection = mutant.opensConnection()
                ? WireClient.connect(host, port)
                : WireClient.login(host, port, user, database, password)) {
            WireClient sent = connection.sendRaw(mutant.bytes());
            sent.shutdownOutput();
            return MutantAnswer.of(mutant, sent.readToEnd());
        }
    }
}
