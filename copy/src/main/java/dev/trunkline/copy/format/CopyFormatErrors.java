package dev.trunkline.copy.format;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;

/** What is wrong with the options or the stream of a COPY, in PostgreSQL's own words where it has some. */
public final class CopyFormatErrors {

    private CopyFormatErrors() {}

    /** 0A000: an option that might change how the stream is to be read. */
    static PgException unknownOption(String name) {
        return new PgException(SqlState.FEATURE_NOT_SUPPORTED, "COPY option \"" + name + "\" is not supported")
                .withHint("Leave the option out, or connect to the shard itself.");
    }

    /** 22023: PostgreSQL refuses the value, or may give it a meaning that is not known here. */
    static PgException invalidOption(String name) {
        return new PgException(
                SqlState.INVALID_PARAMETER_VALUE, "COPY option \"" + name + "\" has an invalid or unsupported value");
    }

    /** 22P04: the lines of one stream must all end in the same way. */
    static PgException unexpectedCarriageReturn(boolean csv) {
        return bad(csv ? "unquoted carriage return found in data" : "literal carriage return found in data")
                .withHint(
                        csv
                                ? "Use quoted CSV field to represent carriage return."
                                : "Use \"\\r\" to represent carriage return.");
    }

    /** 22P04: the lines of one stream must all end in the same way. */
    static PgException unexpectedNewline(boolean csv) {
        return bad(csv ? "unquoted newline found in data" : "literal newline found in data")
                .withHint(csv ? "Use quoted CSV field to represent newline." : "Use \"\\n\" to represent newline.");
    }

    /** 22P04: something else than the end of the line follows a backslash and a point. */
    static PgException corruptEndMarker() {
        return bad("end-of-copy marker corrupt");
    }

    /** 22P04: a row stands before the marker on its line. */
    static PgException endMarkerNotAlone() {
        return bad("end-of-copy marker is not alone on its line");
    }

    /** 22P04: the marker's line ends in another way than those before. */
    static PgException endMarkerNewline() {
        return bad("end-of-copy marker does not match previous newline style");
    }

    /** 22P04: the stream has ended within quotes. */
    static PgException unterminatedQuote() {
        return bad("unterminated CSV quoted field");
    }

    /** 22P04: a row has fewer fields than columns. */
    public static PgException missingColumn(String column) {
        return bad("missing data for column \"" + column + "\"");
    }

    /** 22P04: a stream of the binary format does not begin as such. */
    static PgException noSignature() {
        return bad("COPY file signature not recognized");
    }

    /** 22P04: the header of the binary format says what no version writes today. */
    static PgException invalidHeader(String detail) {
        return bad("invalid COPY file header (" + detail + ")");
    }

    /** 22P04: the flags of the binary format say that old readers cannot read it. */
    static PgException unknownFlags() {
        return bad("unrecognized critical flags in COPY file header");
    }

    /** 22P04: a row has another number of fields than the statement has columns. */
    static PgException fieldCount(int found, int expected) {
        return bad("row field count is " + found + ", expected " + expected);
    }

    /** 22P04: a length below -1. */
    static PgException invalidFieldSize() {
        return bad("invalid field size");
    }

    /** 22P04: the stream has ended within a row. */
    static PgException unexpectedEnd() {
        return bad("unexpected EOF in COPY data");
    }

    /** 22P04: something follows the trailer of the binary format. */
    static PgException dataBehindEnd() {
        return bad("received copy data after EOF marker");
    }

    private static PgException bad(String message) {
        return new PgException(SqlState.BAD_COPY_FILE_FORMAT, message);
    }
}
