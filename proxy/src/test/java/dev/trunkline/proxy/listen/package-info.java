/** LISTEN and NOTIFY of clients that have no server connection of their own. */
@NullMarked
package dev.trunkline.proxy.listen;

import org.jspecify.annotations.NullMarked;
