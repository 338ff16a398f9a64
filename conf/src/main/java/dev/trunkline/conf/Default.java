package dev.trunkline.conf;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The value that a setting has when its key is absent, in the spelling of the configuration file ({@code 5000},
 * {@code false}, {@code transaction}; {@code []} for a list, which is the only default that a list has).
 *
 * <p>A setting without this, without {@link DefaultsTo} and not nullable is required.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Default {

    /** The value as the file spells it. */
    String value();
}
