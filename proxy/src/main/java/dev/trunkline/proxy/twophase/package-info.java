/**
 * Two-phase commit over shards: what the shards remember of a decision, and who brings a transaction to its end when the
 * one who began it is gone.
 */
@NullMarked
package dev.trunkline.proxy.twophase;

import org.jspecify.annotations.NullMarked;
