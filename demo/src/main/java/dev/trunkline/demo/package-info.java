/** The embedded demo: three PostgreSQL servers, sample rows and a proxy in one process. */
@NullMarked
package dev.trunkline.demo;

import org.jspecify.annotations.NullMarked;
