/**
 * Who is who, on both sides: clients prove themselves to the proxy, and the proxy to the servers. State machines that
 * take messages and give messages; sockets are the caller's.
 *
 * @see <a href="https://www.postgresql.org/docs/18/sasl-authentication.html">SASL Authentication</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5802">RFC 5802 (SCRAM)</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7677">RFC 7677 (SCRAM-SHA-256)</a>
 */
@NullMarked
package dev.trunkline.proxy.auth;

import org.jspecify.annotations.NullMarked;
