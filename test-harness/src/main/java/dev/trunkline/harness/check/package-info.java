/** What must hold after every test, and what no proxy may ever do: invariants, misroute guards, the oracle, leaks. */
@NullMarked
package dev.trunkline.harness.check;

import org.jspecify.annotations.NullMarked;
