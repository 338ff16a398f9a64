package dev.trunkline.routing.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StatementsTest {

    static Stream<Arguments> texts() {
        return Stream.of(
                row("", List.of()),
                row(" ; -- x\n ;", List.of()),
                row("SELECT 1", List.of("SELECT 1")),
                row("SELECT 1;", List.of("SELECT 1")),
                row(";;a;;b c;", List.of("a", "b c")),
                row("a ';' b; c", List.of("a ';' b", " c")),
                row("a $$;$$ b; /* ; */ c -- ;", List.of("a $$;$$ b", " /* ; */ c -- ;")),
                row(
                        "CREATE RULE r AS ON INSERT TO t DO ALSO (a; b); c",
                        List.of("CREATE RULE r AS ON INSERT TO t DO ALSO (a; b)", " c")),
                row(
                        "create or replace function f() returns int begin atomic select case when a then 1 end; b; end; c",
                        List.of(
                                "create or replace function f() returns int begin atomic select case when a then 1 end;"
                                        + " b; end",
                                " c")),
                row(
                        "CREATE PROCEDURE f() BEGIN ATOMIC SELECT 1 AS end; END; x",
                        List.of("CREATE PROCEDURE f() BEGIN ATOMIC SELECT 1 AS end; END", " x")),
                row("BEGIN; SELECT 1; END", List.of("BEGIN", " SELECT 1", " END")),
                row("a); b", List.of("a)", " b")));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void splitsAtTopLevelSemicolons(String sql, List<String> expected) {
        Statements statements = Sql.split(Sql.lex(sql));
        List<String> found = new ArrayList<>();
        byte[] bytes = Sql.bytes(sql);
        for (int i = 0; i < statements.count(); i++) {
            int start = statements.startByte(i);
            found.add(new String(bytes, start, statements.endByte(i) - start, StandardCharsets.UTF_8));
        }
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void findsDirectivesBeforeAndAfterAStatement() {
        String sql = "/* pgdog_shard: 1 */ a; b /*pgdog_sharding_key :x*/; c /* pgdog_shard: 1 */ d;"
                + " /* plain */ e; f; /* TRUNKLINE_ROLE: replica */";
        Statements statements = Sql.split(Sql.lex(sql));
        List<Boolean> found = new ArrayList<>();
        for (int i = 0; i < statements.count(); i++) {
            found.add(statements.hasDirective(i));
        }
        assertThat(found).containsExactly(true, true, false, false, true);
    }

    private static Arguments row(String sql, List<String> statements) {
        return Arguments.of(sql, statements);
    }
}
