/** A proxy as its operators see it: numbers, health, the admin database, reload and drain. */
@NullMarked
package dev.trunkline.proxy.operation;

import org.jspecify.annotations.NullMarked;
