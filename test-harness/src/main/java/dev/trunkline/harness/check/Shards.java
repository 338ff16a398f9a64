package dev.trunkline.harness.check;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class a fresh database on each of several real PostgreSQL servers, which all classes of the JVM share.
 *
 * <p>Parameters of its constructor and methods may be {@link dev.trunkline.harness.pg.PgShards} (the databases, the same
 * ones for the whole class) and {@link Invariants} (checked after each test; add to them what the proxy must keep).
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ShardsExtension.class)
public @interface Shards {

    /** How many. */
    int value() default 3;
}
