package dev.trunkline.routing.key;

import dev.trunkline.protocol.frontend.Bind;
import dev.trunkline.routing.sql.TextParameters;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one Bind, in place; valid as long as its buffer is.
 */
public final class Parameters implements TextParameters {

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
    public @Nullable String inText(int parameter) {
        return isNull(parameter) || isBinary(parameter) ? null : string(parameter);
    }

    @Override
    public @Nullable Optional<String> text(int parameter) {
        int type = typeOid(parameter);
        if (!isKnown(parameter) || type != PgType.UNSPECIFIED && type != PgType.TEXT && type != PgType.VARCHAR) {
            return null;
        }
        // Of a text both formats are the same bytes.
        return isNull(parameter) ? Optional.empty() : Optional.of(string(parameter));
    }

    @Override
    public @Nullable Boolean bool(int parameter) {
        int type = typeOid(parameter);
        if (!isKnown(parameter) || isNull(parameter) || type != PgType.UNSPECIFIED && type != PgType.BOOL) {
            return null;
        }
        if (isBinary(parameter)) {
            return length(parameter) == 1 ? bytes()[offset(parameter)] != 0 : null;
        }
        // A server also takes shorter forms of these words.
        return switch (string(parameter).strip().toLowerCase(Locale.ROOT)) {
            case "t", "true", "on", "yes", "1" -> true;
            case "f", "false", "off", "no", "0" -> false;
            default -> null;
        };
    }

    private boolean isKnown(int parameter) {
        return parameter >= 1 && parameter <= count();
    }

    private String string(int parameter) {
        return new String(bytes(), offset(parameter), length(parameter), StandardCharsets.UTF_8);
    }

    /**
     * Some of these parameters, with NULL in the place of those that are not there.
     *
     * @param parameters null = there are none
     * @param numbers which ones, counted from 1
     */
    public static Parameters some(@Nullable Parameters parameters, List<Integer> numbers) {
        Bind bind = parameters == null ? Bind.of("", "", List.of(), List.of(), List.of()) : parameters.bind;
        int missing =
                Math.max(0, numbers.stream().mapToInt(Integer::intValue).max().orElse(0) - bind.parameterCount());
        int[] oids = numbers.stream()
                .mapToInt(number -> parameters == null ? PgType.UNSPECIFIED : parameters.typeOid(number))
                .toArray();
        return of(bind.with(Collections.nCopies(missing, null)).some(numbers), oids);
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
