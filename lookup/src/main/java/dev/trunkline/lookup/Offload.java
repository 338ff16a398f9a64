package dev.trunkline.lookup;

import io.vertx.core.Future;
import java.util.concurrent.Callable;

/** Computes something off the event loops and comes back to the caller's: a port. */
interface Offload {

    <T> Future<T> call(Callable<T> work);
}
