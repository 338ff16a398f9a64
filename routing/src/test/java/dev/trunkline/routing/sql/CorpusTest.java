package dev.trunkline.routing.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.CCJSqlParserConstants;
import net.sf.jsqlparser.parser.StringProvider;
import net.sf.jsqlparser.util.TablesNamesFinder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Statements of real tools, mappers and people are read whole: by the lexer, the classifier and, rewritten, JSqlParser. */
class CorpusTest {

    static Stream<String> statements() {
        return Stream.of("application.sql", "psql.sql", "tools.sql").flatMap(CorpusTest::read);
    }

    private static Stream<String> read(String file) {
        try (InputStream stream = Objects.requireNonNull(CorpusTest.class.getResourceAsStream(file))) {
            byte[] text = stream.readAllBytes();
            Tokens tokens = Lexer.lex(text, true);
            Statements split = Sql.split(tokens);
            List<String> statements = new ArrayList<>();
            for (int i = 0; i < split.count(); i++) {
                int start = split.startByte(i);
                statements.add(new String(text, start, split.endByte(i) - start, StandardCharsets.UTF_8));
            }
            return statements.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("statements")
    void isReadByJSqlParserToItsEnd(String sql) throws Exception {
        String normalized = Objects.requireNonNull(Sql.normalize(sql), "refused");
        CCJSqlParser parser = new CCJSqlParser(new StringProvider(normalized));
        parser.withAllowComplexParsing(false);
        net.sf.jsqlparser.statement.Statement statement = parser.Statement();
        assertThat(parser.getToken(1).kind).isEqualTo(CCJSqlParserConstants.EOF);
        assertThat(new TablesNamesFinder<Void>().getTables(statement))
                .allSatisfy(table -> assertThat(table).as(normalized).endsWith("\""));
    }

    @ParameterizedTest
    @MethodSource("statements")
    void isClassified(String sql) {
        Tokens tokens = Sql.lex(sql);
        assertThat(tokens.malformed()).isFalse();
        assertThat(Classifier.classify(tokens, 0, tokens.count()).kind()).isIn(StatementKind.READ, StatementKind.WRITE);
    }

    @ParameterizedTest
    @MethodSource("statements")
    void keepsEveryConstantInNormalizedText(String sql) {
        Tokens tokens = Sql.lex(sql);
        Shape shape = Sql.shape(tokens);
        String normalized = Objects.requireNonNull(Normalizer.normalize(tokens, shape));
        if (normalized.contains("TABLESAMPLE") || sql.contains("TABLESAMPLE")) {
            return;
        }
        for (int slot = 0; slot < shape.slots().count(); slot++) {
            StringBuilder marker = new StringBuilder();
            Markers.append(shape.slots().kind(slot), slot, marker);
            assertThat(normalized).containsOnlyOnce(marker);
        }
    }

    @ParameterizedTest
    @MethodSource("statements")
    void hasTheSameShapeWithOtherWhiteSpace(String sql) {
        Tokens tokens = Sql.lex(sql);
        StringBuilder other = new StringBuilder();
        for (int i = 0; i < tokens.count(); i++) {
            other.append(" /* other */\t").append(tokens.raw(i));
        }
        Shape shape = Sql.shape(Sql.lex(other.toString()));
        assertThat(shape.matches(Sql.shape(tokens).toByteArray())).isTrue();
    }
}
