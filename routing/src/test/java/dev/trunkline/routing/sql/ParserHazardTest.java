package dev.trunkline.routing.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.CCJSqlParserConstants;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.StringProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What JSqlParser reads otherwise than PostgreSQL does when it is given the client's text. Behind the normaliser each of
 * these must come out as PostgreSQL means it, or not parse.
 */
class ParserHazardTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "SELECT * FROM t WHERE id = 5{n}{n}{n}OR id = 6 # \"id\" = 7000000000000000 OR \"id\" = 7000000000000001",
                "SELECT * FROM t WHERE id = 10{n}/{n}2 # \"id\" = 7000000000000000 / 7000000000000001",
                "SELECT * FROM t WHERE id = 5{n}go{n} # -",
                "SELECT * FROM t WHERE note = $q$a'b$q$ OR id = 6 # \"note\" = 's0' OR \"id\" = 7000000000000001",
                "SELECT * FROM t WHERE id = $x$5$x$ # \"id\" = 's0'",
                "SELECT * FROM t WHERE id = 1_000 # \"id\" = 7000000000000000",
                "SELECT * FROM t WHERE id = U&'\\0041' # \"id\" = 's0'",
                "SELECT * FROM t WHERE id = E'it\\'s' OR id = 5 # \"id\" = 's0' OR \"id\" = 7000000000000001",
                "SELECT * FROM t WHERE id = 'a\\' OR id = 5 # \"id\" = 's0' OR \"id\" = 7000000000000001",
                "SELECT * FROM t WHERE id = 'a'{n}'b' OR id = 5 # \"id\" = 's0' OR \"id\" = 7000000000000001",
                "SELECT * FROM t WHERE id OPERATOR(pg_catalog.=) 5 # \"id\" = 7000000000000000",
                "SELECT * FROM t WHERE id OPERATOR(s.=) 5 # \"id\" || 7000000000000000",
                "SELECT * FROM t WHERE doc @? '$' # \"doc\" || 's0'",
                "SELECT * FROM t WHERE id = @ 5 # \"id\" = ~7000000000000000",
                "SELECT * FROM t WHERE id = -5 # \"id\" = -7000000000000000",
                "SELECT * FROM t WHERE current_user = 'x' # \"current_user\"() = 's0'",
                "SELECT * FROM t WHERE year = 1 # \"year\" = 7000000000000000",
                "SELECT * FROM t WHERE value = 1 # \"value\" = 7000000000000000",
                "SELECT * FROM t WHERE a // b # \"a\" || \"b\"",
                "SELECT * FROM t WHERE id::text COLLATE \"C\" = '5' # \"id\"::TEXT || 'kept' = 's0'",
                "SELECT * FROM t WHERE /* id = 4 OR */ id = 5 -- OR id = 6 # \"id\" = 7000000000000000",
            })
    void keepsTheConditionThatPostgresSees(String sql, String expected) throws Exception {
        String normalized = Objects.requireNonNull(Sql.normalize(sql.replace("{n}", "\n")));
        String found;
        try {
            found = parse(normalized).replaceFirst("SELECT \\* FROM \"t\" WHERE ", "");
        } catch (ParseException e) {
            found = "-";
        }
        assertThat(found).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "DELETE FROM t{n}{n}{n}WHERE id = 5 # DELETE FROM \"t\" WHERE \"id\" = 7000000000000000",
                "SELECT FROM t # SELECT NULL FROM \"t\"",
                "SELECT * FROM (TABLE t) AS s # SELECT * FROM (SELECT * FROM \"t\") AS \"s\"",
                "UPDATE ONLY t SET a = 1 # UPDATE \"t\" SET \"a\" = 7000000000000000",
                "SELECT * FROM source JOIN target ON true # SELECT * FROM \"source\" JOIN \"target\" ON true",
                "SELECT * FROM TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTcut"
                        + " # SELECT * FROM \"ttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt\"",
            })
    void keepsTheStatementThatPostgresSees(String sql, String expected) throws Exception {
        assertThat(parse(Objects.requireNonNull(Sql.normalize(sql.replace("{n}", "\n")))))
                .isEqualToIgnoringCase(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT `a` FROM t",
                "SELECT a FROM t WHERE id = ?",
                "SELECT a FROM t WHERE id = :id",
                "SELECT a FROM [t]",
                "SELECT 'a",
                "SELECT a \\ b",
                "SELECT \"a\"\"b\" FROM t"
            })
    void refusesWhatPostgresRefusesOrJSqlParserCannotRead(String sql) {
        String normalized = Sql.normalize(sql);
        if (normalized != null) {
            assertThatThrownBy(() -> parse(normalized)).isInstanceOf(ParseException.class);
        }
    }

    @Test
    void seesTheSecondStatementOfAText() {
        assertThat(Sql.split(Sql.lex("SELECT 1; DELETE FROM t")).count()).isEqualTo(2);
    }

    @Test
    void neverWritesANewlineOrTwoSpaces() {
        String normalized =
                Sql.normalize("SELECT 'a\n\n\nb', \"c\", 'd'\n\n'e'\n\n\nFROM t -- x\n\n\n WHERE /* \n */ a = 1");
        assertThat(normalized).isNotNull().doesNotContain("\n", "  ");
    }

    private static String parse(String normalized) throws ParseException {
        CCJSqlParser parser = new CCJSqlParser(new StringProvider(normalized));
        parser.withAllowComplexParsing(false);
        String statement = parser.Statement().toString();
        if (parser.getToken(1).kind != CCJSqlParserConstants.EOF) {
            throw new ParseException("text is left");
        }
        return statement;
    }
}
