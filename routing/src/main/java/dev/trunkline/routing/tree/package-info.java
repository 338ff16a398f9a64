/** What a data statement says, as far as routing needs it: small immutable records, free of any parser. */
@NullMarked
package dev.trunkline.routing.tree;

import org.jspecify.annotations.NullMarked;
