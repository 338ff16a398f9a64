/** Where the truth about a lookup is read: the port, and its implementation against shard 0's primary. */
@NullMarked
package dev.trunkline.lookup.source;

import org.jspecify.annotations.NullMarked;
