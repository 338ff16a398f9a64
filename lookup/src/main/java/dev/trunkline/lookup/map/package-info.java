/** The map from sharding key value to the value that is hashed: compact, immutable, read without allocation. */
@NullMarked
package dev.trunkline.lookup.map;

import org.jspecify.annotations.NullMarked;
