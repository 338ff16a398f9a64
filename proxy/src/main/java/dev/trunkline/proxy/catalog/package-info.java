/** Reads the system catalogs of a server into the immutable records that routing works with. */
@NullMarked
package dev.trunkline.proxy.catalog;

import org.jspecify.annotations.NullMarked;
