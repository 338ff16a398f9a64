/**
 * Clients and servers gone wrong: exchanges as a driver has them, changed at random but repeatably, and what comes back.
 *
 * <p>A test takes a {@link dev.trunkline.harness.fuzz.Mutator} over {@link dev.trunkline.harness.fuzz.Exchanges}, sends each
 * {@link dev.trunkline.harness.fuzz.Mutant} through a {@link dev.trunkline.harness.fuzz.MutantClient}, and asserts that the
 * answer is sound, that other clients notice nothing, and that nothing stays behind; or lets a
 * {@link dev.trunkline.harness.fault.FakeServer} answer with it. A failure names seed and number.
 */
@NullMarked
package dev.trunkline.harness.fuzz;

import org.jspecify.annotations.NullMarked;
