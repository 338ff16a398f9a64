package dev.trunkline.conf;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The numbers that a setting accepts, both ends included, in the unit of the file (milliseconds, bytes). */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Range {

    /** The least accepted number. */
    long min() default 0;

    /** The greatest accepted number. */
    long max();
}
