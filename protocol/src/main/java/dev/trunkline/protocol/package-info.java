/**
 * Frames of the PostgreSQL protocol over {@code byte[]}, offset and length: how one is written, how its body is read.
 * The messages themselves are in {@code frontend} and {@code backend}.
 *
 * @see <a href="https://www.postgresql.org/docs/18/protocol.html">Frontend/Backend Protocol</a>
 */
@NullMarked
package dev.trunkline.protocol;

import org.jspecify.annotations.NullMarked;
