/** What the parts of the main road cost, each by itself. */
@NullMarked
package dev.trunkline.bench;

import org.jspecify.annotations.NullMarked;
