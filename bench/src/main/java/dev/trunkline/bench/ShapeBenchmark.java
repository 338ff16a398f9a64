package dev.trunkline.bench;

import dev.trunkline.routing.sql.Lexer;
import dev.trunkline.routing.sql.Shape;
import dev.trunkline.routing.sql.Statements;
import dev.trunkline.routing.sql.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to find a statement's plan: its tokens, and its shape. Divide by {@code bytes} of the statement. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class ShapeBenchmark {

    /** Statements by name. */
    public enum Sample {
        PGBENCH_SELECT("SELECT abalance FROM pgbench_accounts WHERE aid = 12345"),
        PGBENCH_UPDATE("UPDATE pgbench_accounts SET abalance = abalance + -4321 WHERE aid = 12345;"),
        MAPPER_SELECT(
                "SELECT \"o\".\"id\", \"o\".\"tenant_id\", \"o\".\"created_at\", \"o\".\"status\", \"o\".\"total\","
                        + " \"c\".\"id\", \"c\".\"name\", \"c\".\"email\" FROM \"orders\" AS \"o\" INNER JOIN \"customers\" AS \"c\""
                        + " ON \"c\".\"id\" = \"o\".\"customer_id\" WHERE \"o\".\"tenant_id\" = 'a1b2c3'"
                        + " AND \"o\".\"status\" IN ('new', 'paid') ORDER BY \"o\".\"created_at\" DESC LIMIT 20"),
        INSERT_100_ROWS("INSERT INTO t (a, b, c, d) VALUES (1, 'some text', NULL, 1.5)"
                + ", (2, 'some more text', '2024-01-01', -2.5)".repeat(99));

        final byte[] text;

        Sample(String text) {
            this.text = text.getBytes(StandardCharsets.UTF_8);
        }
    }

    @Param
    public Sample sample = Sample.PGBENCH_SELECT;

    private final Tokens tokens = new Tokens();
    private final Statements statements = new Statements();
    private final Shape shape = new Shape();
    private byte[] known = {};

    @Setup
    public void setUp() {
        known = sample.text;
        boolean ignored = find();
        known = shape.toByteArray();
    }

    @Benchmark
    public int lex() {
        Lexer.lex(sample.text, 0, sample.text.length, true, tokens);
        return tokens.count();
    }

    /** Tokens, statements, shape, and the comparison with the bytes of a cached plan. */
    @Benchmark
    public boolean find() {
        Lexer.lex(sample.text, 0, sample.text.length, true, tokens);
        statements.split(tokens);
        shape.of(tokens, statements, 0);
        return shape.matches(known);
    }
}
