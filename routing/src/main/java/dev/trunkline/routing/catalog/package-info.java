/** What the shards' system catalogs say, as immutable records; the proxy loads them. */
@NullMarked
package dev.trunkline.routing.catalog;

import org.jspecify.annotations.NullMarked;
