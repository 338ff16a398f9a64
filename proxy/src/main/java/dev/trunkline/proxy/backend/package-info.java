/**
 * Connections to servers: start-up, the queue of expected replies, what lives on the server side of a session
 * (prepared statements, run-time parameters). Knows nothing of clients; who uses a connection listens to it.
 */
@NullMarked
package dev.trunkline.proxy.backend;

import org.jspecify.annotations.NullMarked;
