/**
 * The messages that a client sends, each with its encoder and its decoder.
 *
 * @see <a href="https://www.postgresql.org/docs/18/protocol-message-formats.html">Message Formats</a>
 */
@NullMarked
package dev.trunkline.protocol.frontend;

import org.jspecify.annotations.NullMarked;
