package dev.trunkline.copy.format;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.sql.Command;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the options of a COPY FROM or TO say of its stream; immutable. Options that do not change how the stream is read
 * are passed over: the servers carry them out.
 *
 * @param delimiter between two fields
 * @param quote of CSV
 * @param escape of CSV
 * @param nullText how NULL is written, in UTF-8
 * @param defaultText how a default is asked for, in UTF-8; null = it cannot be
 * @param header the first line is none of the rows
 * @param forceNull columns of CSV in which even a quoted nullText is NULL; {@code *} = all
 * @param forceNotNull columns of CSV in which nothing is NULL; {@code *} = all
 * @param encoding as written; null = that of the client
 * @param ignoresErrors rows with a value that its column's type does not take are left out
 * @param limitsIgnored only so many of them
 * @see <a href="https://www.postgresql.org/docs/18/sql-copy.html">COPY</a>
 */
public record CopyOptions(
        CopyFormat format,
        byte delimiter,
        byte quote,
        byte escape,
        byte[] nullText,
        byte @Nullable [] defaultText,
        boolean header,
        List<String> forceNull,
        List<String> forceNotNull,
        @Nullable String encoding,
        boolean ignoresErrors,
        boolean limitsIgnored) {

    private static final String ALL = "*";

    /**
     * Reads the options of a statement.
     *
     * @throws PgException 0A000 or 42601 if one of them is not known, or has a value that PostgreSQL does not take
     */
    public static CopyOptions of(List<Command.CopyOption> options) {
        Reading reading = new Reading();
        options.forEach(reading::read);
        return reading.result();
    }

    /** Whether FORCE_NULL is set for a column. */
    public boolean forcesNull(String column) {
        return forceNull.contains(ALL) || forceNull.contains(column);
    }

    /** Whether FORCE_NOT_NULL is set for a column. */
    public boolean forcesNotNull(String column) {
        return forceNotNull.contains(ALL) || forceNotNull.contains(column);
    }

    /** True when every byte that divides or marks fields is an ASCII character. */
    public boolean isAscii() {
        return isAscii(nullText) && (defaultText == null || isAscii(defaultText)) && delimiter > 0 && quote > 0;
    }

    private static boolean isAscii(byte[] text) {
        for (byte each : text) {
            if (each < 0) {
                return false;
            }
        }
        return true;
    }

    private static final class Reading {
        private CopyFormat format = CopyFormat.TEXT;
        private @Nullable String delimiter;
        private @Nullable String quote;
        private @Nullable String escape;
        private @Nullable String nullText;
        private @Nullable String defaultText;
        private boolean header;
        private final List<String> forceNull = new ArrayList<>();
        private final List<String> forceNotNull = new ArrayList<>();
        private @Nullable String encoding;
        private boolean ignoresErrors;
        private boolean limitsIgnored;

        void read(Command.CopyOption option) {
            switch (option.name()) {
                case "format" -> format = format(value(option));
                case "delimiter" -> delimiter = value(option);
                case "quote" -> quote = value(option);
                case "escape" -> escape = value(option);
                case "null" -> nullText = value(option);
                case "default" -> defaultText = value(option);
                case "header" -> header = isHeader(option);
                case "force_null" -> forceNull.addAll(option.values());
                case "force_not_null" -> forceNotNull.addAll(option.values());
                case "encoding" -> encoding = value(option);
                case "on_error" -> ignoresErrors = ignoresErrors(option);
                case "reject_limit" -> limitsIgnored = true;
                case "freeze", "force_quote", "log_verbosity" -> {}
                default -> throw CopyFormatErrors.unknownOption(option.name());
            }
        }

        private static String value(Command.CopyOption option) {
            if (option.values().size() != 1) {
                throw CopyFormatErrors.invalidOption(option.name());
            }
            return option.values().get(0);
        }

        private static CopyFormat format(String name) {
            return switch (name) {
                case "text" -> CopyFormat.TEXT;
                case "csv" -> CopyFormat.CSV;
                case "binary" -> CopyFormat.BINARY;
                default -> throw CopyFormatErrors.invalidOption("format");
            };
        }

        private static boolean isHeader(Command.CopyOption option) {
            if (option.values().isEmpty()) {
                return true;
            }
            return switch (value(option).toLowerCase(Locale.ROOT)) {
                case "true", "on", "1", "match" -> true;
                case "false", "off", "0" -> false;
                default -> throw CopyFormatErrors.invalidOption("header");
            };
        }

        private static boolean ignoresErrors(Command.CopyOption option) {
            return switch (value(option).toLowerCase(Locale.ROOT)) {
                case "stop" -> false;
                case "ignore" -> true;
                default -> throw CopyFormatErrors.invalidOption("on_error");
            };
        }

        CopyOptions result() {
            boolean csv = format == CopyFormat.CSV;
            byte quoteByte = single("quote", quote, (byte) '"');
            return new CopyOptions(
                    format,
                    single("delimiter", delimiter, (byte) (csv ? ',' : '\t')),
                    quoteByte,
                    single("escape", escape, quoteByte),
                    bytes(nullText == null ? csv ? "" : "\\N" : nullText),
                    defaultText == null ? null : bytes(defaultText),
                    header,
                    List.copyOf(forceNull),
                    List.copyOf(forceNotNull),
                    encoding,
                    ignoresErrors,
                    limitsIgnored);
        }

        private static byte single(String option, @Nullable String value, byte usual) {
            byte[] bytes = value == null ? new byte[] {usual} : bytes(value);
            if (bytes.length != 1 || bytes[0] == '\n' || bytes[0] == '\r') {
                throw CopyFormatErrors.invalidOption(option);
            }
            return bytes[0];
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
