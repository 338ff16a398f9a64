package dev.trunkline.copy.format;

import org.jspecify.annotations.Nullable;

/** How the text of a key becomes UTF-8, which the servers store: before its escapes are resolved, as they do it. */
public interface KeyEncoding {

    /** UTF-8 is what it is. */
    KeyEncoding UTF8 = (bytes, offset, length) -> null;

    /** The text in UTF-8; null when it is that as it stands. */
    byte @Nullable [] converted(byte[] bytes, int offset, int length);
}
