package dev.trunkline.conf.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LookupQueryTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT id, COALESCE(parent_tenant_id, id) FROM tenants",
                "select 1, 2;",
                "SELECT 1, 2 ; -- done; really",
                "-- the map\nSELECT 1, 2",
                "/* outer /* inner; */ ; */ SELECT 1, 2",
                "((SELECT 1, 2))",
                "WITH t AS (SELECT 1, 2) SELECT * FROM t",
                "TABLE map",
                "VALUES (1, 2), (3, 4)",
                "VALUES('a;b', 1)",
                "SELECT \"a;b\", 'it''s; $1' FROM t",
                "SELECT E'\\'; $1', 1",
                "SELECT $$;$1$$, $x$ $$ ; $1 $x$",
                "SELECT tab$1, 2 FROM t"
            })
    void acceptsOneReadingStatement(String text) {
        assertThat(LookupQuery.of(text).fault()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM tenants",
                "",
                ";",
                "-- SELECT",
                "'SELECT'",
                "\"select\" 1",
                "EXPLAIN SELECT 1",
                "selects 1"
            })
    void refusesWhatDoesNotRead(String text) {
        assertThat(LookupQuery.of(text).fault()).contains("must be a SELECT (or begin with WITH, TABLE or VALUES)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT 1, 2; DROP TABLE t", "SELECT 1, 2;; x", "SELECT 'a'; 'b'", "SELECT 1 /* ; */ ; 2"})
    void refusesTwoStatements(String text) {
        assertThat(LookupQuery.of(text).fault()).contains("must be one statement");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT $1, 2", "SELECT a,b FROM t WHERE a=$12"})
    void refusesParameters(String text) {
        assertThat(LookupQuery.of(text).fault()).contains("must not have parameters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT 'a", "SELECT \"a", "SELECT /* a", "SELECT $$ a", "SELECT $t$ a $$", "SELECT E'\\'"})
    void refusesWhatDoesNotEnd(String text) {
        assertThat(LookupQuery.of(text).fault()).contains("a quoted text or a comment does not end");
    }

    @Test
    void dropsTheSemicolonAtTheEnd() {
        assertThat(LookupQuery.of(" SELECT ';', 2 ; ; -- end").statement()).isEqualTo("SELECT ';', 2");
        assertThat(LookupQuery.of("SELECT 1, 2 -- x").statement()).isEqualTo("SELECT 1, 2 -- x");
    }

    @Test
    void readsAnyLengthWithoutOverflow() {
        String text = "SELECT '" + "x".repeat(200_000) + "', 2";

        assertThat(LookupQuery.of(text).fault()).isEmpty();
    }
}
