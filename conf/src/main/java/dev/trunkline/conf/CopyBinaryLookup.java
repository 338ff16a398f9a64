package dev.trunkline.conf;

/** What happens to a binary COPY into a table whose key is translated by a lookup. */
public enum CopyBinaryLookup {
    /** The statement is refused. */
    ERROR,
    /** The keys of its rows are translated. */
    TRANSLATE
}
