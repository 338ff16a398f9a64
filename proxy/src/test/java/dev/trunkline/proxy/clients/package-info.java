/**
 * Other people's clients against the proxy: run by {@code mvn -P clients verify} alone, because they have to be installed
 * first (see docs/clients.md).
 */
@NullMarked
package dev.trunkline.proxy.clients;

import org.jspecify.annotations.NullMarked;
