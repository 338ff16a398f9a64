package dev.trunkline.routing.plan;

import dev.trunkline.routing.key.DecodedKey;
import dev.trunkline.routing.key.Decoding;
import dev.trunkline.routing.key.KeyArray;
import dev.trunkline.routing.key.KeyDecoder;
import dev.trunkline.routing.key.KeyTranslations;
import dev.trunkline.routing.key.Parameters;
import dev.trunkline.routing.key.PgType;
import dev.trunkline.routing.sql.Constants;
import org.jspecify.annotations.Nullable;

/**
 * The values of one statement: its constants, its parameters.
 *
 * @param constants those that the plan asks for, by number
 * @param parameters null before Bind and in the simple protocol
 * @param translations the current snapshots of the lookups
 */
public record Values(Constants constants, @Nullable Parameters parameters, KeyTranslations translations) {

    /** Decodes one element of a constant, brought under a number by {@link Numbering}. */
    Decoding constant(KeyRef.Constant ref, int element, KeyDecoder decoder, DecodedKey key) {
        int constant = ref.slot();
        Decoding decoding = switch (constants.kind(constant, element)) {
            case STRING ->
                decoder.string(
                        constants.text(constant, element),
                        constants.offset(constant, element),
                        constants.length(constant, element),
                        key);
            case INTEGER ->
                ref.cast() || decoder.takesIntegers()
                        ? decoder.integer(constants.number(constant, element), key)
                        : Decoding.UNKNOWN;
            case WHOLE -> decoder.whole(constants.number(constant, element), key);
            case NULL -> Decoding.NULL;
            case FRACTIONAL, OUT_OF_RANGE -> decoder.noInteger();
            case TRUE, FALSE, DEFAULT, OTHER -> Decoding.UNKNOWN;
        };
        return afterCast(decoding, ref.cast());
    }

    boolean isDefault(KeyRef.Constant ref, int element) {
        return constants.kind(ref.slot(), element) == Constants.Kind.DEFAULT;
    }

    Decoding parameter(int number, boolean cast, KeyDecoder decoder, DecodedKey key) {
        Parameters bound = bound(number);
        if (!cast && !decoder.takesIntegers() && PgType.isInteger(bound.typeOid(number))) {
            return Decoding.UNKNOWN;
        }
        return afterCast(decoder.parameter(bound, number, key), cast);
    }

    Decoding array(KeyRef.ArrayParameter ref, KeyDecoder decoder, KeyArray.Sink sink) {
        return KeyArray.parameter(decoder, bound(ref.number()), ref.number(), sink);
    }

    Decoding array(KeyRef.ArrayConstant ref, KeyDecoder decoder, KeyArray.Sink sink) {
        int constant = ref.slot();
        if (constants.kind(constant, 0) != Constants.Kind.STRING) {
            return Decoding.UNKNOWN;
        }
        return KeyArray.text(
                decoder,
                constants.text(constant, 0),
                constants.offset(constant, 0),
                constants.length(constant, 0),
                sink);
    }

    /** A cast rounds what is not whole: which way is not our business. */
    private static Decoding afterCast(Decoding decoding, boolean cast) {
        return cast && decoding == Decoding.NO_ROW ? Decoding.UNKNOWN : decoding;
    }

    private Parameters bound(int number) {
        if (parameters == null || number > parameters.count()) {
            throw RoutingErrors.noParameter(number);
        }
        return parameters;
    }
}
