package dev.trunkline.routing.key;

import dev.trunkline.protocol.frontend.Bind;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one Bind, in place; valid as long as its buffer is.
 */
public final class Parameters {

    private final Bind bind;
    private final int[] typeOids;

    private Parameters(Bind bind, int[] typeOids) {
        this.bind = bind;
        this.typeOids = typeOids;
    }

    /**
     * The parameters of a Bind; nothing is copied.
     *
     * @param typeOids the types that Parse gave, 0 = open; may be shorter than the number of parameters
     */
    public static Parameters of(Bind bind, int[] typeOids) {
        return new Parameters(bind, typeOids);
    }

    /** How many values there are. */
    public int count() {
        return bind.parameterCount();
    }

    /** Whether a parameter, counted from 1, is NULL. */
    public boolean isNull(int parameter) {
        return bind.isNull(parameter - 1);
    }

    /** The type that Parse gave to a parameter, counted from 1; {@link PgType#UNSPECIFIED} when it left it open. */
    public int typeOid(int parameter) {
        return parameter <= typeOids.length ? typeOids[parameter - 1] : PgType.UNSPECIFIED;
    }

    /** A value in text form; null for NULL and for a binary value. */
    public @Nullable String text(int parameter) {
        return isNull(parameter) || isBinary(parameter)
                ? null
                : new String(bytes(), offset(parameter), length(parameter), StandardCharsets.UTF_8);
    }

    byte[] bytes() {
        return bind.bytes();
    }

    boolean isBinary(int parameter) {
        return bind.format(parameter - 1) == 1;
    }

    int offset(int parameter) {
        return bind.offset(parameter - 1);
    }

    int length(int parameter) {
        return bind.length(parameter - 1);
    }
}
