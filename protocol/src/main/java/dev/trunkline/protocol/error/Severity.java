package dev.trunkline.protocol.error;

/** Severity of an ErrorResponse or NoticeResponse, spelled as on the wire. */
public enum Severity {
    ERROR,
    FATAL,
    PANIC,
    WARNING,
    NOTICE,
    DEBUG,
    INFO,
    LOG
}
