/** A proxy over one real PostgreSQL server: what clients see must be what the server itself would have shown them. */
@NullMarked
package dev.trunkline.proxy.oneshard;

import org.jspecify.annotations.NullMarked;
