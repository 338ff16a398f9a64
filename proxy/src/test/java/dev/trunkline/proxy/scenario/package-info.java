/** The product's promises, tried from outside: real clients, proxies, three real shards that reject misrouted rows. */
@NullMarked
package dev.trunkline.proxy.scenario;

import org.jspecify.annotations.NullMarked;
