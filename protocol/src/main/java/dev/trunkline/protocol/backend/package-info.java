/**
 * The messages that a server sends, each with its encoder and its decoder.
 *
 * @see <a href="https://www.postgresql.org/docs/18/protocol-message-formats.html">Message Formats</a>
 */
@NullMarked
package dev.trunkline.protocol.backend;

import org.jspecify.annotations.NullMarked;
