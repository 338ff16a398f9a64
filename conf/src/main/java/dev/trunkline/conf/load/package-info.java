/** Reads the configuration file: every fault of it at once, or a whole valid {@code Configuration}. */
@NullMarked
package dev.trunkline.conf.load;

import org.jspecify.annotations.NullMarked;
