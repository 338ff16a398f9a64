/**
 * Clients up to the moment they are logged in: start-up packets, authentication, cancel requests. Then a
 * {@link dev.trunkline.proxy.engine.Session} takes over their socket.
 */
@NullMarked
package dev.trunkline.proxy.frontend;

import org.jspecify.annotations.NullMarked;
