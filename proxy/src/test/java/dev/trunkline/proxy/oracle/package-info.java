/** Random mixed traffic on shards beside one unsharded PostgreSQL: equal answers, statement by statement. */
@NullMarked
package dev.trunkline.proxy.oracle;

import org.jspecify.annotations.NullMarked;
