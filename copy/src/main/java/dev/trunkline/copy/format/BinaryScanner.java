package dev.trunkline.copy.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The binary format: a header, then rows of a field count and fields with their lengths, then a count of -1.
 *
 * @see <a href="https://www.postgresql.org/docs/18/sql-copy.html#SQL-COPY-FILE-FORMATS">Binary Format</a>
 */
final class BinaryScanner extends RowScanner {

    private enum State {
        SIGNATURE,
        FLAGS,
        EXTENSION_LENGTH,
        EXTENSION,
        COUNT,
        LENGTH,
        FIELD,
        ENDED
    }

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle SHORTS = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final byte[] SIGNATURE = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0};
    private static final int WITH_OIDS = 1 << 16;
    private static final int CRITICAL_FLAGS = 0xFFFF_0000;

    private final int columns;
    private final int keyField;

    private State state = State.SIGNATURE;
    private int matched;
    private int number;
    private int digits;
    private int field;
    private int left;
    private boolean isKey;
    /** The row has ended with its key: that is told first. */
    private boolean rowOwed;

    BinaryScanner(int columns, int keyField) {
        this.columns = columns;
        this.keyField = keyField;
    }

    @Override
    public Event scan(byte[] bytes, int from, int end) {
        if (rowOwed) {
            rowOwed = false;
            return at(from, Event.ROW);
        }
        int at = from;
        while (at < end) {
            switch (state) {
                case SIGNATURE -> {
                    if (bytes[at++] != SIGNATURE[matched++]) {
                        throw CopyFormatErrors.noSignature();
                    }
                    state = matched == SIGNATURE.length ? State.FLAGS : State.SIGNATURE;
                }
                case FLAGS -> {
                    at = number(bytes, at, end, Integer.BYTES);
                    if (digits == Integer.BYTES) {
                        checkFlags(take());
                        state = State.EXTENSION_LENGTH;
                    }
                }
                case EXTENSION_LENGTH -> {
                    at = number(bytes, at, end, Integer.BYTES);
                    if (digits == Integer.BYTES) {
                        left = take();
                        if (left < 0) {
                            throw CopyFormatErrors.invalidHeader("missing length");
                        }
                        state = left == 0 ? State.COUNT : State.EXTENSION;
                        if (left == 0) {
                            return at(at, Event.HEADER);
                        }
                    }
                }
                case EXTENSION -> {
                    int length = Math.min(left, end - at);
                    at += length;
                    left -= length;
                    if (left == 0) {
                        state = State.COUNT;
                        return at(at, Event.HEADER);
                    }
                }
                case COUNT -> {
                    at = number(bytes, at, end, Short.BYTES);
                    if (digits == Short.BYTES) {
                        int count = (short) take();
                        if (count == -1) {
                            state = State.ENDED;
                            return at(at, Event.END);
                        } else {
                            nextLine();
                            Event event = row(count, at);
                            if (event != Event.MORE) {
                                return event;
                            }
                        }
                    }
                }
                case LENGTH -> {
                    at = number(bytes, at, end, Integer.BYTES);
                    if (digits == Integer.BYTES) {
                        left = take();
                        Event event = field(at);
                        if (event != Event.MORE) {
                            return event;
                        }
                    }
                }
                case FIELD -> {
                    int length = Math.min(left, end - at);
                    Event event = bytes(bytes, at, length);
                    at += length;
                    if (event != Event.MORE) {
                        return event;
                    }
                }
                case ENDED -> throw CopyFormatErrors.dataBehindEnd();
            }
        }
        return at(end, Event.MORE);
    }

    private static void checkFlags(int flags) {
        if ((flags & WITH_OIDS) != 0) {
            throw CopyFormatErrors.invalidHeader("WITH OIDS");
        }
        if ((flags & CRITICAL_FLAGS) != 0) {
            throw CopyFormatErrors.unknownFlags();
        }
    }

    /** Reads a number, or its next byte where it is cut; where it goes on. */
    private int number(byte[] bytes, int at, int end, int length) {
        if (digits == 0 && end - at >= length) {
            number = length == Integer.BYTES ? (int) INTS.get(bytes, at) : (short) SHORTS.get(bytes, at);
            digits = length;
            return at + length;
        }
        number = number << Byte.SIZE | bytes[at] & 0xFF;
        digits++;
        return at + 1;
    }

    private int take() {
        int taken = number;
        number = 0;
        digits = 0;
        return taken;
    }

    private Event row(int count, int at) {
        if (count != columns) {
            throw CopyFormatErrors.fieldCount(count, columns);
        }
        field = 0;
        state = count == 0 ? State.COUNT : State.LENGTH;
        return count == 0 ? at(at, Event.ROW) : Event.MORE;
    }

    /** A field begins, of which the length is known. */
    private Event field(int at) {
        if (left < -1) {
            throw CopyFormatErrors.invalidFieldSize();
        }
        isKey = field == keyField;
        if (left > 0) {
            state = State.FIELD;
            return Event.MORE;
        }
        if (isKey) {
            noKey(left == 0 ? KeyValue.VALUE : KeyValue.NULL);
        }
        return fieldEnds(at);
    }

    private Event bytes(byte[] bytes, int at, int length) {
        boolean whole = length == left;
        if (isKey && whole && !hasKept()) {
            key(KeyValue.VALUE, bytes, at, length);
        } else if (isKey) {
            keep(bytes, at, at + length);
        }
        left -= length;
        if (!whole) {
            return Event.MORE;
        }
        if (isKey && hasKept()) {
            key(KeyValue.VALUE, kept(), 0, keptLength());
            forgetKept();
        }
        return fieldEnds(at + length);
    }

    private Event fieldEnds(int at) {
        field++;
        boolean last = field == columns;
        state = last ? State.COUNT : State.LENGTH;
        if (isKey) {
            rowOwed = last;
            return at(at, Event.KEY);
        }
        return last ? at(at, Event.ROW) : Event.MORE;
    }

    @Override
    public void behindEnd() {
        throw CopyFormatErrors.dataBehindEnd();
    }

    @Override
    public Event finish() {
        if (rowOwed) {
            rowOwed = false;
            return at(0, Event.ROW);
        }
        return switch (state) {
            case SIGNATURE, FLAGS, EXTENSION_LENGTH, EXTENSION -> throw CopyFormatErrors.noSignature();
            // Half a count is passed over, as PostgreSQL does.
            case COUNT, ENDED -> at(0, Event.END);
            case LENGTH, FIELD -> throw CopyFormatErrors.unexpectedEnd();
        };
    }
}
