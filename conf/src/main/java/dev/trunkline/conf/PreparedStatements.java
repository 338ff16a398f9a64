package dev.trunkline.conf;

/** What is done so that prepared statements outlive the change of a server connection. */
public enum PreparedStatements {
    /** Those of the protocol and those made by PREPARE. */
    FULL,
    /** Those of the protocol; PREPARE is refused in transaction mode. */
    EXTENDED,
    /** Nothing: statements pass unchanged. */
    DISABLED
}
