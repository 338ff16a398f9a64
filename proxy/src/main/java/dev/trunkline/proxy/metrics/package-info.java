/** What the process tells of itself: numbers for Prometheus, health for load balancers. It reads; nobody depends on it. */
@NullMarked
package dev.trunkline.proxy.metrics;

import org.jspecify.annotations.NullMarked;
