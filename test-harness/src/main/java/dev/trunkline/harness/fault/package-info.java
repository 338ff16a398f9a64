/** Faults on purpose: a relay that cuts, delays and freezes, and a scripted fake server with named misbehaviours. */
@NullMarked
package dev.trunkline.harness.fault;

import org.jspecify.annotations.NullMarked;
