/** Who may log in and how, encryption on both sides, cancel requests: the proxy as a client or an attacker sees it. */
@NullMarked
package dev.trunkline.proxy.security;

import org.jspecify.annotations.NullMarked;
