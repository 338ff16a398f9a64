/** What a client can be told to have gone wrong: SQLSTATE, severity, the exception that carries them, and the protocol's own errors. */
@NullMarked
package dev.trunkline.protocol.error;

import org.jspecify.annotations.NullMarked;
