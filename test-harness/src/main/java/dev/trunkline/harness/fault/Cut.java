package dev.trunkline.harness.fault;

/** How a {@link TcpRelay} ends a connection, towards both sides. */
public enum Cut {
    /** In order, as a process does that closes its sockets. */
    FIN,
    /** By a reset, as after a crash. */
    RST
}
