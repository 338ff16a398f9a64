package dev.trunkline.routing.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NormalizerTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "select Id from T where id=5 # SELECT \"id\" FROM \"t\" WHERE \"id\" = 7000000000000000",
                "SELECT $1, 'it''s', $q$x$q$, E'\\'' # SELECT $1 , 's0' , 's1' , 's2'",
                "SELECT -5 # SELECT - 7000000000000000",
                "SELECT 1 WHERE a IN (1, -2) AND b IN ('x', 'y')"
                        + " # SELECT 7000000000000000 WHERE \"a\" IN (7000000000000001) AND \"b\" IN ('l2')",
                "INSERT INTO t VALUES (1, 'x'), (2, 'y') RETURNING *"
                        + " # INSERT INTO \"t\" VALUES ( 'r0' , 'r1' ) RETURNING *",
                "SELECT a ORDER BY 1_0 LIMIT 0x10 # SELECT \"a\" ORDER BY 10 LIMIT 16",
                "SELECT date '2024-01-01', pg_catalog.int8 '5'"
                        + " # SELECT 's0' :: \"date\" , 's1' :: \"pg_catalog\" . \"int8\"",
                "SELECT timestamp(3) with time zone 'x' # SELECT 's0' :: timestamp ( 3 ) with time zone",
                "SELECT interval '1 day' # SELECT INTERVAL 'kept'",
                "SELECT X'1F', N'a' # SELECT 's0'::bit , 's1'::bpchar",
                "SELECT a @? b, a -> 'x' = 'y', @ 5 # SELECT \"a\" || \"b\" , \"a\" || 's0' = 's1' , ~ 7000000000000002",
                "SELECT a OPERATOR(pg_catalog.=) b, a OPERATOR(s.=) b # SELECT \"a\" = \"b\" , \"a\" || \"b\"",
                "SELECT a != b # SELECT \"a\" <> \"b\"",
                "DELETE FROM ONLY t WHERE a # DELETE FROM \"t\" WHERE \"a\"",
                "SELECT 1 FROM t*, u * WHERE a * b # SELECT 7000000000000000 FROM \"t\" , \"u\" WHERE \"a\" * \"b\"",
                "SELECT FROM t # SELECT NULL FROM \"t\"",
                "TABLE t # SELECT * FROM \"t\"",
                "SELECT a AS true, b AS \"x\" # SELECT \"a\" AS \"true\" , \"b\" AS \"x\"",
                "SELECT CAST(a AS text) # SELECT CAST ( \"a\" AS TEXT )",
                "SELECT t.order, current_user # SELECT \"t\" . \"order\" , \"current_user\"()",
                "SELECT current_timestamp(3) # SELECT \"current_timestamp\" ( 3 )",
                "SELECT f(VARIADIC a) # SELECT \"f\" ( \"a\" )",
                "SELECT a ORDER BY b USING > # SELECT \"a\" ORDER BY \"b\"",
            })
    void writesForJSqlParser(String sql, String expected) {
        assertThat(Sql.normalize(sql)).isEqualTo(expected);
    }

    @Test
    void refusesNamesThatJSqlParserCannotRead() {
        assertThat(Sql.normalize("SELECT \"a\"\"b\"")).isNull();
        assertThat(Sql.normalize("SELECT \"a\nb\"")).isNull();
    }

    @Test
    void keepsNoNumberThatLooksLikeAMarker() {
        assertThat(Sql.normalize("SELECT a LIMIT 7000000000000005")).isEqualTo("SELECT \"a\" LIMIT 7000000000000000");
        assertThat(Markers.slotOf(7_000_000_000_000_005L)).isEqualTo(5);
        assertThat(Markers.slotOf(6_999_999_999_999_999L)).isEqualTo(-1);
        assertThat(Markers.slotOf("s12")).isEqualTo(12);
        assertThat(Markers.slotOf("kept")).isEqualTo(-1);
    }
}
