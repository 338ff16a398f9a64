/** Certificates made on the spot, for tests of encryption. */
@NullMarked
package dev.trunkline.harness.tls;

import org.jspecify.annotations.NullMarked;
