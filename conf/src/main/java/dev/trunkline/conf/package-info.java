/** The configuration of Trunkline as immutable records. */
@NullMarked
package dev.trunkline.conf;

import org.jspecify.annotations.NullMarked;
