/** From what a statement says to where it may run: an abstract interpretation over tables, keys and equalities. */
@NullMarked
package dev.trunkline.routing.plan;

import org.jspecify.annotations.NullMarked;
