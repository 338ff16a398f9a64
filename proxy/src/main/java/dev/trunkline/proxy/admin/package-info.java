/** The admin database: what an operator asks for and orders over an ordinary PostgreSQL connection. Nobody depends on it. */
@NullMarked
package dev.trunkline.proxy.admin;

import org.jspecify.annotations.NullMarked;
