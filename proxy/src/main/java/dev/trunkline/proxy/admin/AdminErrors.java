package dev.trunkline.proxy.admin;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.protocol.error.SqlState;

/** What the admin database refuses. */
public final class AdminErrors {

    private static final String HELP = "SHOW HELP lists the commands.";

    private AdminErrors() {}

    /** 42601: the command does not exist; the session goes on. */
    static PgException unknownCommand(String text) {
        return new PgException(SqlState.SYNTAX_ERROR, "unknown command \"" + shorten(text) + "\"").withHint(HELP);
    }

    /** 42601: the command exists, what follows it does not fit. */
    static PgException malformed(String command, String form) {
        return new PgException(SqlState.SYNTAX_ERROR, "syntax error in \"" + command + "\"")
                .withHint("It is written: " + form + ".");
    }

    /** 42601: quotes or comments that do not end. */
    static PgException unterminated() {
        return new PgException(SqlState.SYNTAX_ERROR, "unterminated quote or comment");
    }

    /** 42703, as PostgreSQL says it. */
    static PgException unknownColumn(String name, String table) {
        return new PgException(
                        SqlState.UNDEFINED_COLUMN,
                        "column \"" + shorten(name) + "\" of \"" + table + "\" does not exist")
                .withHint("SHOW " + table + " without a column list shows all.");
    }

    /** 42704: what was named is not there. */
    public static PgException unknown(String what, String name) {
        return new PgException(SqlState.UNDEFINED_OBJECT, what + " \"" + shorten(name) + "\" does not exist");
    }

    /** 22023: a setting that cannot have this value, or cannot be changed while the process runs. */
    public static PgException invalidSetting(String name, String reason) {
        return new PgException(SqlState.INVALID_PARAMETER_VALUE, "invalid value for \"" + shorten(name) + "\"")
                .withDetail(reason);
    }

    /** 22023: the configuration has faults and was not taken over. */
    public static PgException notReloaded(String faults) {
        return new PgException(SqlState.INVALID_PARAMETER_VALUE, "the configuration was not reloaded")
                .withDetail(faults);
    }

    /** 55000: this process was not started from a file. */
    public static PgException noFile() {
        return new PgException(
                SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE, "there is no configuration file to read again");
    }

    /** 0A000: the admin database has no parameters. */
    static PgException parameters() {
        return new PgException(SqlState.FEATURE_NOT_SUPPORTED, "commands of the admin database take no parameters");
    }

    private static String shorten(String text) {
        return text.length() <= 60
                ? text
                : text.substring(0, text.offsetByCodePoints(0, Math.min(60, text.codePointCount(0, text.length()))))
                        + "...";
    }
}
