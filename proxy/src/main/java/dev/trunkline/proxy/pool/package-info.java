/**
 * Pools of server connections: one per event loop and server, under one count of permits per configured pool; loops
 * lend idle connections to each other.
 */
@NullMarked
package dev.trunkline.proxy.pool;

import org.jspecify.annotations.NullMarked;
