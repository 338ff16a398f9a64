/** The run-time parameters of a session as a value that both ends and the engine compare and carry. */
@NullMarked
package dev.trunkline.proxy.settings;

import org.jspecify.annotations.NullMarked;
