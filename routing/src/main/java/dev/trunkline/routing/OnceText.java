package dev.trunkline.routing;

import dev.trunkline.routing.catalog.Column;
import dev.trunkline.routing.key.Parameters;
import dev.trunkline.routing.plan.Once;
import dev.trunkline.routing.plan.RoutingErrors;
import dev.trunkline.routing.sql.FunctionCalls;
import dev.trunkline.routing.sql.Keyword;
import dev.trunkline.routing.sql.ObjectName;
import dev.trunkline.routing.sql.TokenKind;
import dev.trunkline.routing.sql.Tokens;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Puts parameters in the place of what each shard would compute for itself, and says how the values are computed: of an
 * INSERT of listed rows the values that call such functions and the defaults, one for each row; of any statement the
 * functions that tell its time. It may leave something out: whoever sends the text judges it once more.
 */
final class OnceText {

    /** What the length of a Bind can count. */
    private static final int MAX_PARAMETERS = 65_535;

    private static final int NONE = -1;

    /**
     * A change of the text.
     *
     * @param from the first byte that it replaces
     * @param value the number of the value that it puts there; -1 = none
     */
    private record Edit(int from, int to, String before, int value, String after) {}

    /** A value of a row that is to be computed, of the column of this rank in the table. */
    private record Need(
            int rank,
            Edit edit,
            int first,
            int end,
            @Nullable Column column) {}

    private final Statement statement;
    private final @Nullable Parameters parameters;
    private final Once once;
    private final Tokens tokens;
    private final Questions questions;
    private final List<Edit> edits = new ArrayList<>();

    private OnceText(Statement statement, @Nullable Parameters parameters, Once once) {
        this.statement = statement;
        this.parameters = parameters;
        this.once = once;
        this.tokens = statement.tokens();
        this.questions = new Questions(tokens, parameters, once);
    }

    /**
     * The route of a write.
     *
     * @param shards all of them
     * @throws dev.trunkline.protocol.error.PgException 0A000 if it may not be done so; 42P02 for a parameter that is not
     *     bound
     */
    static Route.Computed route(Statement statement, @Nullable Parameters parameters, Once once, List<Integer> shards) {
        OnceText text = new OnceText(statement, parameters, once);
        text.checkParameters();
        text.edit();
        Route.Part part = text.part();
        if (part.parameters().size() > MAX_PARAMETERS) {
            throw RoutingErrors.tooManyComputed();
        }
        return new Route.Computed(shards, text.questions.queries(), part);
    }

    private void checkParameters() {
        int count = parameters == null ? 0 : parameters.count();
        for (int i = 0; i < tokens.count(); i++) {
            int number = tokens.is(i, TokenKind.PARAMETER) ? tokens.parameter(i) : 1;
            if (number < 1 || number > count && tokens.is(i, TokenKind.PARAMETER)) {
                throw RoutingErrors.noParameter(number);
            }
        }
    }

    private void edit() {
        int verb = verb();
        int end = returning(verb);
        InsertForm insert = tokens.is(verb, Keyword.INSERT) ? InsertForm.of(tokens, verb) : null;
        if (insert == null) {
            times(0, end);
            defaultsOfTime(verb, end);
            return;
        }
        times(0, insert.source());
        rows(insert);
        times(insert.end(), end);
        defaultsOfTime(insert.end(), end);
    }

    /** The statement's own first word: it may stand behind common table expressions. */
    private int verb() {
        int depth = 0;
        for (int i = 0; i < tokens.count(); i++) {
            depth += InsertForm.opens(tokens, i) ? 1 : InsertForm.closes(tokens, i) ? -1 : 0;
            boolean begins = i == 0 || tokens.is(i - 1, TokenKind.RIGHT_PARENTHESIS);
            if (depth == 0 && begins && isVerb(tokens.keyword(i))) {
                return i;
            }
        }
        throw once.refusal();
    }

    private static boolean isVerb(Keyword keyword) {
        return switch (keyword) {
            case INSERT, UPDATE, DELETE, MERGE -> true;
            default -> false;
        };
    }

    /** Where RETURNING begins, whose columns would get other names; the end if there is none. */
    private int returning(int verb) {
        int depth = 0;
        for (int i = verb; i < tokens.count(); i++) {
            depth += InsertForm.opens(tokens, i) ? 1 : InsertForm.closes(tokens, i) ? -1 : 0;
            if (depth == 0 && tokens.is(i, Keyword.RETURNING)) {
                return i;
            }
        }
        return tokens.count();
    }

    // ---- functions that tell the time

    private void times(int from, int end) {
        int i = from;
        while (i < end) {
            int behind = time(i, end);
            if (behind < 0) {
                i++;
            } else {
                edits.add(new Edit(tokens.start(i), tokens.end(behind - 1), "", questions.askOnce(i, behind), ""));
                i = behind;
            }
        }
    }

    /** The token behind a function that tells the time and begins here; -1 if none does. */
    private int time(int i, int end) {
        boolean named = i > 0 && (tokens.is(i - 1, TokenKind.DOT) || tokens.is(i - 1, Keyword.AS));
        if (named) {
            return NONE;
        }
        if (tokens.keyword(i).tellsTime()) {
            return tokens.is(i + 1, TokenKind.LEFT_PARENTHESIS) ? InsertForm.closing(tokens, i + 1) + 1 : i + 1;
        }
        boolean qualified = tokens.isName(i)
                && tokens.is(i + 1, TokenKind.DOT)
                && tokens.name(i).equals("pg_catalog");
        int name = qualified ? i + 2 : i;
        boolean called = name + 2 < end
                && tokens.isName(name)
                && tokens.is(name + 1, TokenKind.LEFT_PARENTHESIS)
                && tokens.is(name + 2, TokenKind.RIGHT_PARENTHESIS);
        return called && once.call(qualified ? "pg_catalog" : null, tokens.name(name)) == Once.Call.TIME
                ? name + 3
                : NONE;
    }

    /** {@code SET column = DEFAULT}. */
    private void defaultsOfTime(int from, int end) {
        int depth = 0;
        for (int i = from; i < end; i++) {
            depth += InsertForm.opens(tokens, i) ? 1 : InsertForm.closes(tokens, i) ? -1 : 0;
            boolean set = depth == 0
                    && i >= from + 3
                    && tokens.is(i, Keyword.DEFAULT)
                    && tokens.isOperator(i - 1, '=')
                    && tokens.isName(i - 2)
                    && (tokens.is(i - 3, Keyword.SET) || tokens.is(i - 3, TokenKind.COMMA));
            Column column = set ? once.target().column(tokens.name(i - 2)) : null;
            if (column != null && column.volatileExpression() != null && once.isOfTime(column)) {
                edits.add(new Edit(tokens.start(i), tokens.end(i), "", questions.askOnce(expression(column)), ""));
            }
        }
    }

    private String expression(Column column) {
        String text = once.expression(column, statement.place().context().standardConformingStrings());
        if (text == null) {
            throw once.refusal();
        }
        return text;
    }

    // ---- rows

    private void rows(InsertForm insert) {
        List<Column> omitted = once.target().columns().stream()
                .filter(Column::volatileDefault)
                .filter(column -> !once.target().filled().contains(column.name()))
                .toList();
        columns(insert, omitted);
        String overriding = overrides(insert, omitted) ? "OVERRIDING SYSTEM VALUE " : "";
        int source = tokens.start(insert.source());
        if (insert.rows().isEmpty()) {
            defaultValues(insert, omitted, overriding);
            return;
        }
        edits.add(new Edit(source, source, overriding, NONE, ""));
        boolean single = insert.rows().size() == 1;
        for (InsertForm.Row row : insert.rows()) {
            List<Need> needs = needs(row, omitted, single);
            if (single) {
                needs.sort(Comparator.comparingInt(Need::rank));
            }
            needs.forEach(this::ask);
        }
    }

    private void columns(InsertForm insert, List<Column> omitted) {
        if (omitted.isEmpty()) {
            return;
        }
        List<String> names =
                omitted.stream().map(Column::name).map(OnceText::quoted).toList();
        if (insert.listClose() >= 0) {
            int at = tokens.start(insert.listClose());
            edits.add(new Edit(at, at, ", " + String.join(", ", names), NONE, ""));
            return;
        }
        List<String> all = new ArrayList<>(
                once.target().filled().stream().map(OnceText::quoted).toList());
        all.addAll(names);
        int at = tokens.end(insert.nameEnd());
        edits.add(new Edit(at, at, " (" + String.join(", ", all) + ")", NONE, ""));
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** An identity column takes what was computed for it, unless the client gives it a value of its own. */
    private boolean overrides(InsertForm insert, List<Column> omitted) {
        if (insert.overrides()) {
            return false;
        }
        boolean computed = omitted.stream().anyMatch(Column::identityAlways);
        List<String> filled = once.target().filled();
        for (int i = 0; i < filled.size(); i++) {
            Column column = once.target().column(filled.get(i));
            if (column == null || !column.identityAlways()) {
                continue;
            }
            for (InsertForm.Row row : insert.rows()) {
                if (i < row.items().size() && !isDefault(row.items().get(i))) {
                    return false;
                }
            }
            computed = true;
        }
        return computed;
    }

    private boolean isDefault(InsertForm.Item item) {
        return item.end() == item.first() + 1 && tokens.is(item.first(), Keyword.DEFAULT);
    }

    private void defaultValues(InsertForm insert, List<Column> omitted, String overriding) {
        int from = tokens.start(insert.source());
        int to = tokens.end(insert.source() + 1);
        String before = overriding + "VALUES (";
        for (Column column : omitted) {
            edits.add(new Edit(from, to, before, ask(column), ""));
            before = ", ";
            from = to;
        }
        if (!omitted.isEmpty()) {
            edits.add(new Edit(to, to, ")", NONE, ""));
        }
    }

    private int ask(Column column) {
        String text = expression(column);
        return once.isOfTime(column) ? questions.askOnce(text) : questions.ask(text);
    }

    private List<Need> needs(InsertForm.Row row, List<Column> omitted, boolean single) {
        List<Need> needs = new ArrayList<>();
        for (int i = 0; i < row.items().size(); i++) {
            Need need = need(row.items().get(i), i, single);
            if (need != null) {
                needs.add(need);
            }
        }
        int close = tokens.start(row.close());
        for (Column column : omitted) {
            needs.add(new Need(rank(column), new Edit(close, close, ", ", NONE, ""), 0, 0, column));
        }
        return needs;
    }

    private @Nullable Need need(InsertForm.Item item, int position, boolean single) {
        List<String> filled = once.target().filled();
        Column column = position < filled.size() ? once.target().column(filled.get(position)) : null;
        if (item.end() <= item.first()) {
            return null;
        }
        Edit place = new Edit(tokens.start(item.first()), tokens.end(item.end() - 1), "", NONE, "");
        int rank = column == null ? position : rank(column);
        if (isDefault(item)) {
            return column != null && column.volatileDefault() ? new Need(rank, place, 0, 0, column) : null;
        }
        List<ObjectName> calls = FunctionCalls.in(tokens, item.first(), item.end());
        boolean query = holdsQuery(item);
        if (!query && isComputed(item, calls)) {
            return new Need(rank, place, item.first(), item.end(), null);
        }
        if (single && !calls.isEmpty()) {
            checkIsOne(item, query);
        }
        times(item.first(), item.end());
        return null;
    }

    /** A function that returns a set makes several rows of one, each of which would need values of its own. */
    private void checkIsOne(InsertForm.Item item, boolean query) {
        if (!query) {
            questions.askWhetherOne(item.first(), item.end());
        } else if (!isQuery(item)) {
            throw once.refusal();
        }
    }

    private int rank(Column column) {
        return once.target().columns().indexOf(column);
    }

    /** What looks like a call of something else is none: the plan has seen to that. */
    private boolean isComputed(InsertForm.Item item, List<ObjectName> calls) {
        boolean computed = false;
        for (ObjectName call : calls) {
            Once.Call meaning = once.call(call.schema(), call.name());
            computed |= meaning == Once.Call.TIME || meaning == Once.Call.VALUE;
        }
        for (int i = item.first(); i < item.end(); i++) {
            computed |= tokens.keyword(i).tellsTime() || isPerson(tokens.keyword(i));
        }
        return computed;
    }

    /** What tells the user, the database or the schema. */
    private static boolean isPerson(Keyword keyword) {
        return switch (keyword) {
            case CURRENT_CATALOG, CURRENT_ROLE, CURRENT_SCHEMA, CURRENT_USER, SESSION_USER, SYSTEM_USER, USER -> true;
            default -> false;
        };
    }

    private boolean holdsQuery(InsertForm.Item item) {
        for (int i = item.first(); i < item.end(); i++) {
            boolean begins = switch (tokens.keyword(i)) {
                case SELECT, VALUES, TABLE, WITH -> true;
                default -> false;
            };
            if (begins) {
                return true;
            }
        }
        return false;
    }

    /** A query in parentheses, which yields one value. */
    private boolean isQuery(InsertForm.Item item) {
        return tokens.is(item.first(), TokenKind.LEFT_PARENTHESIS)
                && InsertForm.closing(tokens, item.first()) == item.end() - 1
                && (tokens.is(item.first() + 1, Keyword.SELECT) || tokens.is(item.first() + 1, Keyword.WITH));
    }

    private void ask(Need need) {
        Edit place = need.edit();
        int value = need.column() == null ? askItem(need) : ask(Objects.requireNonNull(need.column()));
        edits.add(new Edit(place.from(), place.to(), place.before(), value, place.after()));
    }

    private int askItem(Need need) {
        boolean shared = time(need.first(), need.end()) == need.end();
        return shared ? questions.askOnce(need.first(), need.end()) : questions.ask(need.first(), need.end());
    }

    // ---- the text

    private Route.Part part() {
        edits.sort(Comparator.comparingInt(Edit::from).thenComparingInt(Edit::to));
        PartText text = new PartText(tokens, parameters != null);
        int clients = parameters == null ? 0 : parameters.count();
        int at = statement.start();
        int token = 0;
        for (Edit edit : edits) {
            while (token < tokens.count() && tokens.end(token) <= at) {
                token++;
            }
            text.copy(at, edit.from(), token);
            text.add(edit.before());
            if (edit.value() >= 0) {
                text.parameter(clients + 1 + edit.value());
            }
            text.add(edit.after());
            at = edit.to();
        }
        text.copy(at, statement.end(), token);
        return text.part(0);
    }
}
