package dev.trunkline.routing.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShapeTextTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "SELECT * FROM T WHERE id = 5 # select * from t where id = ?",
                "SELECT 'secret' # select ?",
                "SELECT a FROM s.t WHERE x IN (1, 2, 3) # select a from s.t where x in (?, ...)",
                "SELECT a FROM t LIMIT 10 # select a from t limit 10",
                "SELECT \"A b\".c::int # select \"A b\".c::int",
                "INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'y') # insert into t (a, b) values (?, ?)",
                "INSERT INTO t VALUES ($1, $2), ($3, $4) RETURNING a # insert into t values ($, $) returning a",
                "UPDATE t SET a = $1 WHERE b = $2 # update t set a = $1 where b = $2",
                "SELECT '\uD83D\uDE00' AS \uD83D\uDE00 # select ? as \uD83D\uDE00",
            })
    void writesConstantsAsQuestionMarks(String sql, String text) {
        byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
        assertThat(ShapeText.of(bytes, 0, bytes.length)).isEqualTo(text);
    }
}
