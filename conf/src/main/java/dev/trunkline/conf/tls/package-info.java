/** Certificates, keys and authorities as PEM files hold them. */
@NullMarked
package dev.trunkline.conf.tls;

import org.jspecify.annotations.NullMarked;
