package dev.trunkline.routing.sql;

import dev.trunkline.routing.sql.Literal.Number;

/**
 * The values of those constants of one statement that its plan asks for, and how long its VALUES lists are. Immutable,
 * independent of the tokens; strings lie in the statement's text where nothing in them is escaped.
 */
public final class Constants {

    /** What a constant is. */
    public enum Kind {
        /** A string of no type yet. */
        STRING,
        /** A number without point and exponent, within bigint. */
        INTEGER,
        /** A number with a point or an exponent whose value is whole and within bigint. */
        WHOLE,
        /** A number that is not whole. */
        FRACTIONAL,
        /** A whole number beyond bigint. */
        OUT_OF_RANGE,
        NULL,
        TRUE,
        FALSE,
        /** The key word DEFAULT. */
        DEFAULT,
        /** A constant of another type, or one that PostgreSQL refuses. */
        OTHER
    }

    private static final Kind[] KINDS = Kind.values();
    private static final Constants NONE = new Constants(new int[1], 0, new int[0]);

    /** Where the elements of each constant begin; one more entry than constants. */
    private final int[] first;

    private final byte[] kinds;
    private final long[] numbers;
    private final int[] offsets;
    private final int[] lengths;
    private final byte[][] texts;
    private final int[] rows;

    private Constants(int[] first, int elements, int[] rows) {
        this.first = first;
        this.kinds = new byte[elements];
        this.numbers = new long[elements];
        this.offsets = new int[elements];
        this.lengths = new int[elements];
        this.texts = new byte[elements][];
        this.rows = rows;
    }

    /** No constant at all. */
    public static Constants none() {
        return NONE;
    }

    /**
     * The constants of a statement that a plan asks for.
     *
     * @param slots the slots, in the plan's order; as {@code ~slot} where a minus sign stands before the slot
     */
    public static Constants capture(Tokens tokens, Shape shape, int[] slots) {
        Rows lists = shape.rows();
        if (slots.length == 0 && lists.count() == 0) {
            return NONE;
        }
        int[] first = new int[slots.length + 1];
        for (int i = 0; i < slots.length; i++) {
            first[i + 1] = first[i] + shape.slots().size(slotOf(slots[i]));
        }
        int[] rows = new int[lists.count()];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = lists.rows(i);
        }
        Constants constants = new Constants(first, first[slots.length], rows);
        Literal literal = new Literal();
        for (int i = 0; i < slots.length; i++) {
            constants.read(tokens, shape.slots(), slots[i], first[i], literal);
        }
        return constants;
    }

    /** How many elements a constant has: more than one for an IN list and within a VALUES list. */
    public int size(int constant) {
        return first[constant + 1] - first[constant];
    }

    /** How many rows a VALUES list has. */
    public int rows(int list) {
        return rows[list];
    }

    public Kind kind(int constant, int element) {
        return KINDS[kinds[first[constant] + element]];
    }

    /** The number of an INTEGER or WHOLE. */
    public long number(int constant, int element) {
        return numbers[first[constant] + element];
    }

    /** The array that holds a STRING, as UTF-8. */
    public byte[] text(int constant, int element) {
        return texts[first[constant] + element];
    }

    /** Where a STRING begins. */
    public int offset(int constant, int element) {
        return offsets[first[constant] + element];
    }

    /** The bytes of a STRING. */
    public int length(int constant, int element) {
        return lengths[first[constant] + element];
    }

    private static int slotOf(int asked) {
        return asked < 0 ? ~asked : asked;
    }

    private void read(Tokens tokens, Slots slots, int asked, int at, Literal literal) {
        int slot = slotOf(asked);
        for (int element = 0; element < slots.size(slot); element++) {
            boolean negative = slots.isNegative(slot, element) != (asked < 0);
            Kind kind = read(tokens, slots.token(slot, element), negative, at + element, literal);
            kinds[at + element] = (byte) kind.ordinal();
        }
    }

    private Kind read(Tokens tokens, int token, boolean negative, int at, Literal literal) {
        TokenKind kind = tokens.kind(token);
        if (kind.isNumber()) {
            Number number = literal.decodeNumber(tokens, token, negative);
            numbers[at] = literal.value();
            return switch (number) {
                case INTEGRAL -> kind == TokenKind.INTEGER ? Kind.INTEGER : Kind.WHOLE;
                case FRACTIONAL -> Kind.FRACTIONAL;
                case OUT_OF_RANGE -> Kind.OUT_OF_RANGE;
            };
        }
        if (kind.isString() && !negative) {
            return readString(tokens, token, at, literal);
        }
        return switch (tokens.keyword(token)) {
            case NULL -> Kind.NULL;
            case TRUE -> Kind.TRUE;
            case FALSE -> Kind.FALSE;
            case DEFAULT -> Kind.DEFAULT;
            default -> Kind.OTHER;
        };
    }

    private Kind readString(Tokens tokens, int token, int at, Literal literal) {
        if (!literal.decodeString(tokens, token)) {
            return Kind.OTHER;
        }
        boolean inPlace = literal.bytes() == tokens.text();
        texts[at] = inPlace ? tokens.text() : literal.toByteArray();
        offsets[at] = inPlace ? literal.offset() : 0;
        lengths[at] = literal.length();
        return Kind.STRING;
    }
}
