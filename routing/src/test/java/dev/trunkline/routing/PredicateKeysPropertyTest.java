package dev.trunkline.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * For any condition, every row that fulfils it lies on a shard that the statement is sent to. Rows have the key
 * {@code id} and a number {@code n}; conditions are evaluated in SQL's three-valued logic (null = unknown).
 */
class PredicateKeysPropertyTest {

    private static final int VALUES = 12;

    private final Fixture db = new Fixture();

    /** A row; null = NULL. */
    record Row(Long id, Long n) {

        Long column(String name) {
            return name.equals("id") ? id : n;
        }
    }

    /** A condition: its SQL, and what it yields for a row. */
    interface Condition {
        String sql();

        Boolean holds(Row row);
    }

    record Leaf(String sql, java.util.function.Function<Row, Boolean> value) implements Condition {
        @Override
        public Boolean holds(Row row) {
            return value.apply(row);
        }
    }

    record And(Condition left, Condition right) implements Condition {
        @Override
        public String sql() {
            return "(" + left.sql() + " AND " + right.sql() + ")";
        }

        @Override
        public Boolean holds(Row row) {
            return both(left.holds(row), right.holds(row));
        }
    }

    record Or(Condition left, Condition right) implements Condition {
        @Override
        public String sql() {
            return "(" + left.sql() + " OR " + right.sql() + ")";
        }

        @Override
        public Boolean holds(Row row) {
            return not(both(not(left.holds(row)), not(right.holds(row))));
        }
    }

    record Not(Condition operand) implements Condition {
        @Override
        public String sql() {
            return "NOT (" + operand.sql() + ")";
        }

        @Override
        public Boolean holds(Row row) {
            return not(operand.holds(row));
        }
    }

    record IsTrue(Condition operand) implements Condition {
        @Override
        public String sql() {
            return "(" + operand.sql() + ") IS TRUE";
        }

        @Override
        public Boolean holds(Row row) {
            return Boolean.TRUE.equals(operand.holds(row));
        }
    }

    private static Boolean not(Boolean value) {
        return value == null ? null : !value;
    }

    private static Boolean both(Boolean one, Boolean other) {
        if (Boolean.FALSE.equals(one) || Boolean.FALSE.equals(other)) {
            return false;
        }
        return one == null || other == null ? null : true;
    }

    private static Boolean equal(Long one, Long other) {
        return one == null || other == null ? null : one.equals(other);
    }

    private static String sql(Long value) {
        return value == null ? "NULL" : value.toString();
    }

    @Property(tries = 2_000)
    void everyRowThatFulfilsTheConditionIsOnAChosenShard(@ForAll("conditions") Condition condition) {
        List<Integer> shards = shards("SELECT * FROM items WHERE " + condition.sql());
        for (Row row : rows()) {
            if (Boolean.TRUE.equals(condition.holds(row))) {
                int shard = row.id() == null ? 0 : Fixture.hash(row.id());
                assertThat(shards).as("%s for %s", condition.sql(), row).contains(shard);
            }
        }
    }

    private List<Integer> shards(String sql) {
        Route route = db.route(sql);
        if (route instanceof Route.One one) {
            return List.of(one.shard());
        }
        return route instanceof Route.Many many ? many.shards() : List.of();
    }

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (long id = -1; id <= VALUES; id++) {
            for (long n = 0; n < 3; n++) {
                rows.add(new Row(id < 0 ? null : id, n == 2 ? null : n));
            }
        }
        return rows;
    }

    @Provide
    Arbitrary<Condition> conditions() {
        return Arbitraries.lazyOf(
                this::leaves,
                this::leaves,
                () -> Arbitraries.of(1, 2, 3, 4).flatMap(kind -> switch (kind) {
                    case 1 -> pair().map(pair -> (Condition) new And(pair.get1(), pair.get2()));
                    case 2 -> pair().map(pair -> (Condition) new Or(pair.get1(), pair.get2()));
                    case 3 -> conditions().map(operand -> (Condition) new Not(operand));
                    default -> conditions().map(operand -> (Condition) new IsTrue(operand));
                }));
    }

    private Arbitrary<Tuple.Tuple2<Condition, Condition>> pair() {
        return conditions().flatMap(left -> conditions().map(right -> Tuple.of(left, right)));
    }

    private Arbitrary<Condition> leaves() {
        Arbitrary<Long> values = Arbitraries.longs().between(0, VALUES).injectNull(0.1);
        Arbitrary<String> columns = Arbitraries.of("id", "id", "id", "n");
        return Arbitraries.of(1, 2, 3, 4, 5, 6, 7)
                .flatMap(kind -> columns.flatMap(
                        column -> values.list().ofMinSize(1).ofMaxSize(3).map(list -> leaf(kind, column, list))));
    }

    private static Condition leaf(int kind, String column, List<Long> list) {
        Long value = list.get(0);
        return switch (kind) {
            case 1 -> new Leaf(column + " = " + sql(value), row -> equal(row.column(column), value));
            case 2 -> new Leaf(sql(value) + " = " + column, row -> equal(row.column(column), value));
            case 3 -> new Leaf(in(column, list), row -> anyEqual(row.column(column), list));
            case 4 ->
                new Leaf(
                        column + " IS NOT DISTINCT FROM " + sql(value),
                        row -> java.util.Objects.equals(row.column(column), value));
            case 5 -> new Leaf(column + " IS NULL", row -> row.column(column) == null);
            case 6 ->
                new Leaf("(n, id) = (1, " + sql(value) + ")", row -> both(equal(row.n(), 1L), equal(row.id(), value)));
            default ->
                new Leaf(
                        column + " = ANY(ARRAY[" + join(list) + "]::bigint[])",
                        row -> anyEqual(row.column(column), list));
        };
    }

    private static String in(String column, List<Long> list) {
        return column + " IN (" + join(list) + ")";
    }

    private static String join(List<Long> list) {
        return String.join(
                ", ", list.stream().map(PredicateKeysPropertyTest::sql).toList());
    }

    private static Boolean anyEqual(Long value, List<Long> list) {
        Boolean any = false;
        for (Long item : list) {
            any = not(both(not(any), not(equal(value, item))));
        }
        return any;
    }
}
