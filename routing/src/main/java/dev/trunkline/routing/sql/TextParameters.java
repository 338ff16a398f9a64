package dev.trunkline.routing.sql;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The values of {@code $n} where a server expects a text or a boolean, when they are known. */
public interface TextParameters {

    /** None is known, before Bind. */
    TextParameters UNKNOWN = new TextParameters() {
        @Override
        public @Nullable Optional<String> text(int number) {
            return null;
        }

        @Override
        public @Nullable Boolean bool(int number) {
            return null;
        }
    };

    /** The text of a parameter, counted from 1; empty for NULL, null when it is not certain. */
    @Nullable
    Optional<String> text(int number);

    /** The boolean of a parameter, counted from 1; null for NULL and when it is not certain. */
    @Nullable
    Boolean bool(int number);
}
