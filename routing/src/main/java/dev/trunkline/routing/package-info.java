/** The door of routing: SQL text and parameters in, where it runs out. Pure: no I/O, no Future, no clock. */
@NullMarked
package dev.trunkline.routing;

import org.jspecify.annotations.NullMarked;
