/** The process: command line, wiring, start and end. */
@NullMarked
package dev.trunkline.proxy;

import org.jspecify.annotations.NullMarked;
