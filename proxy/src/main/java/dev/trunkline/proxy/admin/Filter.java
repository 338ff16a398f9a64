package dev.trunkline.proxy.admin;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The {@code WHERE} of a SHOW: comparisons that must all hold. */
final class Filter {

    static final String FORM = "SHOW name [column [, ...]] [WHERE column = value [AND ...]]";

    private record Comparison(int column, String operator, String value) {}

    private final List<Comparison> comparisons = new ArrayList<>();

    /** Reads what follows WHERE up to the end of the command; throws PgException. */
    static Filter read(Words words, List<String> columns, String table) {
        Filter filter = new Filter();
        do {
            String name = words.any().toLowerCase(Locale.ROOT);
            int column = columns.indexOf(name);
            if (column < 0) {
                throw AdminErrors.unknownColumn(name, table);
            }
            String operator = words.keyword();
            if (!List.of("=", "<>", "!=", "<", ">", "<=", ">=", "LIKE").contains(operator) || words.atEnd()) {
                throw AdminErrors.malformed("SHOW " + table, FORM);
            }
            filter.comparisons.add(new Comparison(column, operator, words.any()));
        } while (words.take("AND"));
        return filter;
    }

    /** The rows that fit. */
    Table apply(Table table) {
        return new Table(
                table.columns(), table.rows().stream().filter(this::accepts).toList());
    }

    private boolean accepts(List<@Nullable String> row) {
        for (Comparison comparison : comparisons) {
            String value = row.get(comparison.column);
            if (value == null || !holds(comparison, value)) {
                return false;
            }
        }
        return true;
    }

    private static boolean holds(Comparison comparison, String value) {
        if (comparison.operator.equals("LIKE")) {
            String pattern =
                    Pattern.quote(comparison.value).replace("%", "\\E.*\\Q").replace("_", "\\E.\\Q");
            return Pattern.compile(pattern, Pattern.DOTALL).matcher(value).matches();
        }
        int order = compare(value, comparison.value);
        return switch (comparison.operator) {
            case "=" -> order == 0;
            case "<" -> order < 0;
            case ">" -> order > 0;
            case "<=" -> order <= 0;
            case ">=" -> order >= 0;
            default -> order != 0;
        };
    }

    /** As numbers where both are. */
    private static int compare(String one, String other) {
        try {
            return new BigDecimal(one).compareTo(new BigDecimal(other));
        } catch (NumberFormatException e) {
            return one.compareTo(other);
        }
    }
}
