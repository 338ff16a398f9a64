package dev.trunkline.routing.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShapeTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "SELECT * FROM t WHERE id = 5 # select  *\tfrom T where ID=77 -- c",
                "SELECT 'a' # SELECT /* c */ $$b$$",
                "SELECT 'a' # SELECT E'b\\n'",
                "SELECT 1 # SELECT 0x1F",
                "SELECT 1 # SELECT 1.5",
                "SELECT 1 WHERE x IN (1) # SELECT 2 WHERE x IN (1, -2, 3.5)",
                "SELECT 1 WHERE x NOT IN ('a') # SELECT 2 WHERE x NOT IN ('b', $$c$$)",
                "INSERT INTO t VALUES (1, 'a') # INSERT INTO t VALUES (-2, NULL), (DEFAULT, TRUE), ('x', 5)",
                "INSERT INTO t VALUES (f(1)) # INSERT INTO t VALUES (f(1)), (f(2)), (f(3))",
                "INSERT INTO t VALUES ($1, $2), ($3, $4) # INSERT INTO t VALUES ($1, $2), ($3, $4), ($5, $6)",
                "SELECT * FROM t ORDER BY f(1) # SELECT * FROM t ORDER BY f(2)",
            })
    void isEqualForStatementsThatDifferInConstantsAndLayout(String one, String other) {
        Shape first = Sql.shape(Sql.lex(one));
        Shape second = Sql.shape(Sql.lex(other));
        assertThat(second.matches(first.toByteArray())).isTrue();
        assertThat(second.fingerprint()).isEqualTo(first.fingerprint());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "SELECT a # SELECT b",
                "SELECT a # SELECT \"A\"",
                "SELECT 1 # SELECT '1'",
                "SELECT 1 # SELECT -1",
                "SELECT 'a' # SELECT B'1'",
                "SELECT 'a' # SELECT N'a'",
                "SELECT $1 # SELECT $2",
                "SELECT a b # SELECT ab",
                "SELECT a - -1 # SELECT a -1",
                "SELECT a.b # SELECT a, b",
                "SELECT a ORDER BY 1 # SELECT a ORDER BY 2",
                "SELECT a ORDER BY b, 1 DESC # SELECT a ORDER BY b, 2 DESC",
                "SELECT a ORDER BY ((1)) # SELECT a ORDER BY ((2))",
                "SELECT a GROUP BY 1 # SELECT a GROUP BY 2",
                "SELECT a GROUP BY ROLLUP (b, 1) # SELECT a GROUP BY ROLLUP (b, 2)",
                "SELECT a GROUP BY GROUPING SETS ((1), ()) # SELECT a GROUP BY GROUPING SETS ((2), ())",
                "SELECT DISTINCT ON (1) a # SELECT DISTINCT ON (2) a",
                "SELECT a LIMIT 1 # SELECT a LIMIT 2",
                "SELECT a LIMIT 1 OFFSET 1 # SELECT a LIMIT 1 OFFSET 2",
                "SELECT a LIMIT (1 + 1) # SELECT a LIMIT (1 + 2)",
                "SELECT a FETCH FIRST 1 ROWS ONLY # SELECT a FETCH FIRST 2 ROWS ONLY",
                "SELECT interval '1 day' # SELECT interval '2 days'",
                "SELECT a::varchar(1) # SELECT a::varchar(2)",
                "SELECT CAST(a AS numeric(1, 1)) # SELECT CAST(a AS numeric(1, 2))",
                "SELECT varchar(1) 'abc' # SELECT varchar(2) 'abc'",
                "SELECT 1 WHERE x IN (1) # SELECT 1 WHERE x IN ('1')",
                "SELECT 1 WHERE x IN (1, 'a') # SELECT 1 WHERE x IN (1, 'a', 'b')",
                "SELECT 1 WHERE x IN ($1) # SELECT 1 WHERE x IN ($1, $2)",
                "SELECT 1 WHERE x IN (1, y) # SELECT 1 WHERE x IN (1, 2, y)",
                "INSERT INTO t VALUES (1, 2) # INSERT INTO t VALUES (1, 2, 3)",
                "INSERT INTO t VALUES (1, f()) # INSERT INTO t VALUES (1, 2)",
                "INSERT INTO t VALUES (f(), 1), (2, 3) # INSERT INTO t VALUES (f(), 1), (2, 3), (4, 5)",
                "INSERT INTO t VALUES ($1, $2), ($3, $4) # INSERT INTO t VALUES ($1, $2), ($4, $3)",
                "INSERT INTO t VALUES ($1, $2), ($3, $4) # INSERT INTO t VALUES ($1, $2), ($2, $3)",
                "SELECT 1 # /* pgdog_shard: 1 */ SELECT 1",
            })
    void differsForStatementsThatNeedAnotherPlan(String one, String other) {
        assertThat(Sql.shape(Sql.lex(other)).matches(Sql.shape(Sql.lex(one)).toByteArray()))
                .isFalse();
    }

    @Test
    void numbersSlotsInOrderOfTheText() {
        Tokens tokens = Sql.lex("SELECT 'x', f(5) FROM t WHERE a IN (1, -2) AND b IN ('p', 'q') AND c = -7 LIMIT 3");
        assertThat(Sql.spell(tokens, Sql.shape(tokens).slots()))
                .containsExactly("STRING 'x'", "NUMBER 5", "NUMBER_LIST 1, -2", "STRING_LIST 'p', 'q'", "NUMBER 7");
    }

    @Test
    void givesEveryRowsConstants() {
        Tokens tokens = Sql.lex("INSERT INTO t (a, b, c) VALUES (1, f('x'), NULL), (-2, f('y'), 'z') RETURNING a + 9");
        Shape shape = Sql.shape(tokens);
        assertThat(Sql.spell(tokens, shape.slots()))
                .isEqualTo(List.of("ROW_CONSTANT 1, -2", "STRING 'x', 'y'", "ROW_CONSTANT NULL, 'z'", "NUMBER 9"));
        Rows rows = shape.rows();
        assertThat(rows.count()).isEqualTo(1);
        assertThat(rows.main()).isZero();
        assertThat(rows.rows(0)).isEqualTo(2);
        assertThat(tokens.raw(rows.firstToken(0, 1) + 2)).isEqualTo("2");
        assertThat(tokens.raw(rows.lastToken(0, 1) - 1)).isEqualTo("'z'");
        assertThat(tokens.raw(rows.lastToken(0, 0) - 1)).isEqualTo("NULL");
    }

    @Test
    void givesDistanceOfParametersFromRowToRow() {
        Tokens tokens = Sql.lex("INSERT INTO t VALUES ($1, 5, $2), ($3, 6, $4), ($5, 7, $6)");
        Shape shape = Sql.shape(tokens);
        assertThat(shape.rows().rows(0)).isEqualTo(3);
        assertThat(shape.rows().parameterStride(0)).isEqualTo(2);
        assertThat(Sql.spell(tokens, shape.slots())).containsExactly("ROW_CONSTANT 5, 6, 7");
    }

    @Test
    void keepsRowsThatDifferOneByOne() {
        Tokens tokens = Sql.lex("INSERT INTO t VALUES (1, f()), (2, 3) ON CONFLICT DO NOTHING");
        Shape shape = Sql.shape(tokens);
        assertThat(shape.rows().count()).isZero();
        assertThat(Sql.spell(tokens, shape.slots())).containsExactly("NUMBER 1", "NUMBER 2", "NUMBER 3");
    }

    @Test
    void isReusedWithoutTraces() {
        Shape shape = Sql.shape(Sql.lex("INSERT INTO t VALUES (1, 2), (3, 4)"));
        Tokens tokens = Sql.lex("SELECT 5 ORDER BY (SELECT 1)");
        shape.of(tokens, 0, tokens.count(), false);
        assertThat(shape.matches(Sql.shape(tokens).toByteArray())).isTrue();
        assertThat(Sql.spell(tokens, shape.slots())).containsExactly("NUMBER 5", "NUMBER 1");
        assertThat(shape.rows().count()).isZero();
    }
}
