package dev.trunkline.conf;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The key whose value a setting takes over when its own key is absent; the record holds the value in force. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface DefaultsTo {

    /** A key of the same section ({@code name}), or one of another section with its path ({@code general.pooler_mode}). */
    String value();
}
