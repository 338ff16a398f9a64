package dev.trunkline.routing.key;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;

/** Faults of sharding key values, in PostgreSQL's own words where it has some. */
public final class KeyErrors {

    private KeyErrors() {}

    /** 22P02, as the type's input function says it. */
    public static PgException invalidText(String typeName, String value) {
        return new PgException(
                SqlState.INVALID_TEXT_REPRESENTATION,
                "invalid input syntax for type " + typeName + ": \"" + value + "\"");
    }

    /** 22003, as the type's input function says it. */
    public static PgException outOfRange(String typeName, String value) {
        return new PgException(
                SqlState.NUMERIC_VALUE_OUT_OF_RANGE, "value \"" + value + "\" is out of range for type " + typeName);
    }

    /** 22P03: a binary parameter has a length that its type does not have, so that its value would be a guess. */
    public static PgException invalidBinary(int parameter) {
        return new PgException(
                SqlState.INVALID_BINARY_REPRESENTATION, "incorrect binary data format in bind parameter " + parameter);
    }

    /** 22P03, as PostgreSQL says it of a field of COPY. */
    static PgException invalidBinary() {
        return new PgException(SqlState.INVALID_BINARY_REPRESENTATION, "incorrect binary data format");
    }

    /** 22P02: an array in text form breaks its grammar. */
    public static PgException malformedArray(String value) {
        return new PgException(SqlState.INVALID_TEXT_REPRESENTATION, "malformed array literal: \"" + value + "\"");
    }
}
