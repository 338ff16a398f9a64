/** Transactions over several shards beside one server's, and under faults that end whole processes. */
@NullMarked
package dev.trunkline.proxy.transaction;

import org.jspecify.annotations.NullMarked;
