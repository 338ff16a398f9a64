package dev.trunkline.routing.key;

import dev.trunkline.protocol.error.PgException;

/**
 * Brings values into the canonical form of a sharding key column; immutable, safe for any thread. What it cannot
 * decode as PostgreSQL would it reports as {@link Decoding#UNKNOWN}, never as a guess.
 */
public final class KeyDecoder {

    /** Identifiers of type name are cut to this many bytes. */
    private static final int NAME_BYTES = 63;

    private final KeyColumn column;
    private final boolean stored;

    private KeyDecoder(KeyColumn column, boolean stored) {
        this.column = column;
        this.stored = stored;
    }

    /** A decoder of values that are compared with the column. */
    public static KeyDecoder compared(KeyColumn column) {
        return new KeyDecoder(column, false);
    }

    /** A decoder of values that are stored in the column: the assignment cast and the column's length apply. */
    public static KeyDecoder stored(KeyColumn column) {
        return new KeyDecoder(column, true);
    }

    /**
     * Decodes a string constant, or any value given as text whose type is open.
     *
     * @throws PgException 22P02 or 22003, as the column's input function
     */
    public Decoding string(byte[] text, int offset, int length, DecodedKey key) {
        switch (column.type()) {
            case BIGINT -> key.setLong(IntegerText.parse(text, offset, length, column.integerPrefixes()));
            case UUID -> UuidText.parse(text, offset, length, key);
            case VARCHAR -> setText(text, offset, length, column.isBlankPadded(), key);
        }
        return Decoding.KEY;
    }

    /**
     * False when an integer, unless it is cast, cannot meet the column: no operator compares text with a number, and
     * PostgreSQL shall say so.
     */
    public boolean takesIntegers() {
        return stored || column.type() != KeyType.VARCHAR;
    }

    /** Decodes a whole number within bigint: an integer constant of the statement. */
    public Decoding integer(long value, DecodedKey key) {
        key.setLong(value);
        return switch (column.type()) {
            case BIGINT -> Decoding.KEY;
            case VARCHAR -> asDecimal(key);
            case UUID -> Decoding.UNKNOWN;
        };
    }

    /** Decodes a whole number that is written with a point or an exponent. */
    public Decoding whole(long value, DecodedKey key) {
        // Stored as text it keeps its own spelling.
        return column.type() == KeyType.BIGINT ? integer(value, key) : Decoding.UNKNOWN;
    }

    /** Decodes a number that no integer equals: one with a fraction, or one that is too large. */
    public Decoding noInteger() {
        return column.type() == KeyType.BIGINT && !stored ? Decoding.NO_ROW : Decoding.UNKNOWN;
    }

    /**
     * Decodes a bound parameter.
     *
     * @param parameter its number, from 1
     * @throws PgException 22P02 or 22003 as the type's input function; 22P03 if a binary value has not its type's length
     */
    public Decoding parameter(Parameters parameters, int parameter, DecodedKey key) {
        if (parameters.isNull(parameter)) {
            return Decoding.NULL;
        }
        byte[] bytes = parameters.bytes();
        int offset = parameters.offset(parameter);
        int length = parameters.length(parameter);
        int oid = parameters.typeOid(parameter);
        return parameters.isBinary(parameter)
                ? binary(bytes, offset, length, oid, parameter, key)
                : text(bytes, offset, length, oid, key);
    }

    /** Decodes a value of a given type in text form. */
    Decoding text(byte[] bytes, int offset, int length, int oid, DecodedKey key) {
        return switch (column.type()) {
            case BIGINT -> textAsInteger(bytes, offset, length, oid, key);
            case UUID -> isUuid(oid) || isString(oid) ? string(bytes, offset, length, key) : Decoding.UNKNOWN;
            case VARCHAR -> {
                if (PgType.isInteger(oid)) {
                    key.setLong(IntegerText.parse(bytes, offset, length, column.integerPrefixes()));
                    yield asDecimal(key);
                }
                yield textAsText(bytes, offset, length, oid, key);
            }
        };
    }

    /** Decodes a value of a given type in binary form; {@code parameter} is named in errors. */
    Decoding binary(byte[] bytes, int offset, int length, int oid, int parameter, DecodedKey key) {
        return switch (column.type()) {
            case BIGINT -> binaryAsInteger(bytes, offset, length, oid, parameter, key);
            case UUID -> binaryAsUuid(bytes, offset, length, oid, parameter, key);
            case VARCHAR -> {
                if (PgType.isInteger(oid)) {
                    key.setLong(BinaryInteger.read(bytes, offset, length, oid, parameter));
                    yield asDecimal(key);
                }
                yield textAsText(bytes, offset, length, oid, key);
            }
        };
    }

    /**
     * Decodes a value in the binary form of the column's own type, as COPY has it.
     *
     * @throws PgException 22P03 if the value has not its type's length
     */
    public Decoding ownBinary(byte[] bytes, int offset, int length, DecodedKey key) {
        switch (column.type()) {
            case BIGINT -> {
                if (!BinaryInteger.isLength(length, column.typeOid())) {
                    throw KeyErrors.invalidBinary();
                }
                key.setLong(BinaryInteger.read(bytes, offset, length, column.typeOid(), 0));
                return Decoding.KEY;
            }
            case UUID -> {
                if (length != 2 * Long.BYTES) {
                    throw KeyErrors.invalidBinary();
                }
                key.setUuid(BinaryInteger.int8(bytes, offset), BinaryInteger.int8(bytes, offset + Long.BYTES));
                return Decoding.KEY;
            }
            case VARCHAR -> {
                return string(bytes, offset, length, key);
            }
        }
        throw new IllegalStateException("no such type");
    }

    private Decoding textAsInteger(byte[] bytes, int offset, int length, int oid, DecodedKey key) {
        if (oid == PgType.NUMERIC) {
            return Numeric.text(bytes, offset, length, key);
        }
        boolean integer = PgType.isInteger(oid) || oid == PgType.OID || isString(oid);
        return integer ? string(bytes, offset, length, key) : Decoding.UNKNOWN;
    }

    private Decoding binaryAsInteger(byte[] bytes, int offset, int length, int oid, int parameter, DecodedKey key) {
        if (oid == PgType.NUMERIC) {
            return Numeric.binary(bytes, offset, length, key);
        }
        if (oid != PgType.UNSPECIFIED && isString(oid)) {
            return string(bytes, offset, length, key);
        }
        if (oid != PgType.UNSPECIFIED && oid != PgType.OID && !PgType.isInteger(oid)) {
            return Decoding.UNKNOWN;
        }
        key.setLong(BinaryInteger.read(bytes, offset, length, oid, parameter));
        return Decoding.KEY;
    }

    private Decoding binaryAsUuid(byte[] bytes, int offset, int length, int oid, int parameter, DecodedKey key) {
        if (oid != PgType.UNSPECIFIED && isString(oid)) {
            return string(bytes, offset, length, key);
        }
        if (!isUuid(oid)) {
            return Decoding.UNKNOWN;
        }
        if (length != 2 * Long.BYTES) {
            throw KeyErrors.invalidBinary(parameter);
        }
        key.setUuid(BinaryInteger.int8(bytes, offset), BinaryInteger.int8(bytes, offset + Long.BYTES));
        return Decoding.KEY;
    }

    /** The binary form of the character types is their text. */
    private Decoding textAsText(byte[] bytes, int offset, int length, int oid, DecodedKey key) {
        if (oid == PgType.BPCHAR) {
            if (!stored && column.mayBeVarchar()) {
                return Decoding.UNKNOWN;
            }
            setText(bytes, offset, length, true, key);
            return Decoding.KEY;
        }
        boolean name = oid == PgType.NAME && length <= NAME_BYTES;
        return isString(oid) || name ? string(bytes, offset, length, key) : Decoding.UNKNOWN;
    }

    private void setText(byte[] text, int offset, int length, boolean withoutBlanks, DecodedKey key) {
        int end = offset + length;
        int limit = withoutBlanks ? offset : stored ? endOfCharacters(text, offset, end) : end;
        while (end > limit && text[end - 1] == ' ') {
            end--;
        }
        key.setText(text, offset, end - offset);
    }

    /** Where the characters end that the column can hold; blanks behind it are cut when stored. */
    private int endOfCharacters(byte[] text, int offset, int end) {
        int left = column.characters();
        if (left >= end - offset) {
            return end;
        }
        int at = offset;
        while (at < end && left > 0) {
            at++;
            while (at < end && (text[at] & 0xC0) == 0x80) {
                at++;
            }
            left--;
        }
        return at;
    }

    private Decoding asDecimal(DecodedKey key) {
        key.setText(Long.toString(key.longValue()));
        return Decoding.KEY;
    }

    private static boolean isString(int oid) {
        return oid == PgType.UNSPECIFIED || oid == PgType.TEXT || oid == PgType.VARCHAR || oid == PgType.UNKNOWN;
    }

    private static boolean isUuid(int oid) {
        return oid == PgType.UNSPECIFIED || oid == PgType.UUID;
    }
}
