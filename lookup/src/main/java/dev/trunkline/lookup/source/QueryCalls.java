package dev.trunkline.lookup.source;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a query calls, found in its tree: functions by their identifiers, and what is a call without being written as
 * one. What is not known to be free of calls counts as one that cannot be proven harmless.
 */
final class QueryCalls {

    private static final Pattern IDENTIFIER = Pattern.compile("[1-9][0-9]*");

    /** Parts of a query that compute nothing, and expressions that compute by what they name or hold. */
    private static final Set<String> KNOWN = Set.of(
            ("QUERY ALIAS RANGETBLENTRY RTE RANGETBLREF RANGETBLFUNCTION RTEPERMISSIONINFO FROMEXPR JOINEXPR TARGETENTRY"
                            + " SORTGROUPCLAUSE GROUPINGSET WINDOWCLAUSE ROWMARKCLAUSE SETOPERATIONSTMT"
                            + " COMMONTABLEEXPR CTESEARCHCLAUSE VAR CONST PARAM FUNCEXPR NAMEDARGEXPR OPEXPR DISTINCTEXPR NULLIFEXPR"
                            + " SCALARARRAYOPEXPR BOOLEXPR SUBLINK AGGREF WINDOWFUNC WINDOWFUNCRUNCONDITION GROUPINGFUNC"
                            + " SUBSCRIPTINGREF FIELDSELECT RELABELTYPE COERCEVIAIO ARRAYCOERCEEXPR COERCETODOMAIN"
                            + " COLLATEEXPR CASE CASEEXPR WHEN CASEWHEN CASETESTEXPR ARRAY ARRAYEXPR ROW ROWEXPR"
                            + " ROWCOMPARE ROWCOMPAREEXPR COALESCE COALESCEEXPR MINMAX MINMAXEXPR NULLTEST BOOLEANTEST")
                    .split(" "));

    /** In the order of the server's numbers, PostgreSQL's SQLValueFunctionOp. */
    private static final List<String> VALUE_FUNCTIONS = List.of(
            "CURRENT_DATE",
            "CURRENT_TIME",
            "CURRENT_TIME",
            "CURRENT_TIMESTAMP",
            "CURRENT_TIMESTAMP",
            "LOCALTIME",
            "LOCALTIME",
            "LOCALTIMESTAMP",
            "LOCALTIMESTAMP",
            "CURRENT_ROLE",
            "CURRENT_USER",
            "USER",
            "SESSION_USER",
            "CURRENT_CATALOG",
            "CURRENT_SCHEMA");

    private static final List<String> FUNCTION_FIELDS =
            List.of("funcid", "opfuncid", "aggfnoid", "winfnoid", "startInRangeFunc", "endInRangeFunc", "elemfuncid");

    private static final List<String> OPERATOR_FIELDS = List.of("opno", "eqop", "sortop");

    /** Where an expression says of what type it is. */
    private static final Map<String, String> TYPE_FIELDS = Map.ofEntries(
            Map.entry("VAR", "vartype"),
            Map.entry("CONST", "consttype"),
            Map.entry("FUNCEXPR", "funcresulttype"),
            Map.entry("OPEXPR", "opresulttype"),
            Map.entry("NULLIFEXPR", "opresulttype"),
            Map.entry("AGGREF", "aggtype"),
            Map.entry("WINDOWFUNC", "wintype"),
            Map.entry("FIELDSELECT", "resulttype"),
            Map.entry("RELABELTYPE", "resulttype"),
            Map.entry("COERCEVIAIO", "resulttype"),
            Map.entry("ARRAYCOERCEEXPR", "resulttype"),
            Map.entry("COERCETODOMAIN", "resulttype"),
            Map.entry("CASE", "casetype"),
            Map.entry("CASEEXPR", "casetype"),
            Map.entry("COALESCE", "coalescetype"),
            Map.entry("COALESCEEXPR", "coalescetype"),
            Map.entry("MINMAX", "minmaxtype"),
            Map.entry("MINMAXEXPR", "minmaxtype"),
            Map.entry("ARRAY", "array_typeid"),
            Map.entry("ARRAYEXPR", "array_typeid"),
            Map.entry("SUBSCRIPTINGREF", "refrestype"));

    private static final Set<String> OF_TRUTH =
            Set.of("DISTINCTEXPR", "SCALARARRAYOPEXPR", "BOOLEXPR", "NULLTEST", "BOOLEANTEST");

    private static final String BOOLEAN = "16";

    private final Set<Long> functions = new TreeSet<>();
    private final Set<Long> operators = new TreeSet<>();
    private final Set<Long> read = new TreeSet<>();
    private final Set<Long> written = new TreeSet<>();
    private final Set<String> doubtful = new TreeSet<>();

    private QueryCalls() {}

    /**
     * The calls of a query.
     *
     * @param tree as the server writes it
     */
    static QueryCalls of(String tree) {
        QueryCalls calls = new QueryCalls();
        try {
            List<QueryTree> queries = QueryTree.parse(tree);
            if (queries.isEmpty()) {
                throw new IllegalArgumentException("no query");
            }
            queries.forEach(query -> query.each(calls::visit));
        } catch (IllegalArgumentException otherForm) {
            calls.doubtful.add("a query that cannot be looked into");
        }
        return calls;
    }

    private void visit(QueryTree node) {
        switch (node.name()) {
            case "SQLVALUEFUNCTION" -> doubtful.add(valueFunction(node.word("op")));
            case "TABLESAMPLECLAUSE" -> doubtful.add("TABLESAMPLE");
            case "COERCEVIAIO" -> conversion(node);
            default -> {
                if (!KNOWN.contains(node.name())) {
                    doubtful.add(node.name().toLowerCase(Locale.ROOT));
                }
            }
        }
        FUNCTION_FIELDS.forEach(field -> add(functions, node.word(field)));
        OPERATOR_FIELDS.forEach(field -> add(operators, node.word(field)));
        node.words("opnos").forEach(word -> add(operators, word));
    }

    private static String valueFunction(String number) {
        int op = IDENTIFIER.matcher(number).matches() ? Integer.parseInt(number) : 0;
        return op < VALUE_FUNCTIONS.size() ? VALUE_FUNCTIONS.get(op) : "sqlvaluefunction";
    }

    /** By way of a text: one type's output function, the other's input function. */
    private void conversion(QueryTree node) {
        String from = typeOf(node.node("arg"));
        if (from.isEmpty()) {
            doubtful.add("a conversion from an unknown type");
        }
        add(written, from);
        add(read, node.word("resulttype"));
    }

    /** The identifier of an expression's type; empty if it is not known. */
    private static String typeOf(@Nullable QueryTree expression) {
        if (expression == null) {
            return "";
        }
        if (OF_TRUTH.contains(expression.name())) {
            return BOOLEAN;
        }
        return switch (expression.name()) {
            case "COLLATEEXPR" -> typeOf(expression.node("arg"));
            case "SUBLINK" -> typeOfSubquery(expression);
            default -> {
                String field = TYPE_FIELDS.get(expression.name());
                yield field == null ? "" : expression.word(field);
            }
        };
    }

    private static String typeOfSubquery(QueryTree link) {
        boolean isValue = link.word("subLinkType").equals("4");
        QueryTree query = isValue ? link.node("subselect") : null;
        QueryTree target = query == null ? null : query.node("targetList");
        return target == null ? "" : typeOf(target.node("expr"));
    }

    private static void add(Set<Long> to, String word) {
        if (IDENTIFIER.matcher(word).matches()) {
            to.add(Long.valueOf(Objects.requireNonNull(word)));
        }
    }

    /** Functions that are called, by identifier. */
    Set<Long> functions() {
        return functions;
    }

    /** Operators whose functions are called, by identifier. */
    Set<Long> operators() {
        return operators;
    }

    /** Types whose values are made from text, by identifier. */
    Set<Long> typesRead() {
        return read;
    }

    /** Types whose values are made a text, by identifier. */
    Set<Long> typesWritten() {
        return written;
    }

    /** What is not immutable, or not known to be, and is no function that has an identifier; in words. */
    Set<String> doubtful() {
        return doubtful;
    }
}
