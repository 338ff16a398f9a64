package dev.trunkline.harness.fault;

/** Which way bytes go through a {@link TcpRelay}. */
public enum Direction {
    TO_SERVER,
    TO_CLIENT
}
