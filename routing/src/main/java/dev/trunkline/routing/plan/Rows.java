package dev.trunkline.routing.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a query yields.
 *
 * @param outputs its columns in order; null if nobody knows them
 */
record Rows(Origin origin, @Nullable List<Output> outputs) {}
