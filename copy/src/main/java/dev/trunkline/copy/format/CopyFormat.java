package dev.trunkline.copy.format;

/** The formats of COPY. */
public enum CopyFormat {
    TEXT,
    CSV,
    BINARY
}
