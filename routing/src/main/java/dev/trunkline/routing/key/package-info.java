/** Sharding key values: canonical form, decoding, and the port through which they are translated. */
@NullMarked
package dev.trunkline.routing.key;

import org.jspecify.annotations.NullMarked;
