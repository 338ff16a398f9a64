/**
 * The three formats of COPY: where the rows of a stream end, and what the value of one of their fields is. Bytes come in
 * pieces of any size.
 */
@NullMarked
package dev.trunkline.copy.format;

import org.jspecify.annotations.NullMarked;
