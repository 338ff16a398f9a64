/** Real PostgreSQL servers for tests: started from embedded binaries, one per shard, with fresh databases per class. */
@NullMarked
package dev.trunkline.harness.pg;

import org.jspecify.annotations.NullMarked;
