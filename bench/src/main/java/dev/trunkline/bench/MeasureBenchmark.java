package dev.trunkline.bench;

import dev.trunkline.proxy.measure.Counters;
import dev.trunkline.proxy.measure.Measure;
import dev.trunkline.proxy.measure.Timing;
import dev.trunkline.proxy.measure.Timings;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What counting costs one statement of the extended protocol that is a transaction of its own. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MeasureBenchmark {

    private final Counters session = new Counters();
    private final Counters connection = new Counters();
    private final Counters pool = new Counters();
    private final Timings timings = new Timings();

    /** As the session, the server connection and the pool count together. */
    @Benchmark
    public long statement() {
        pool.count(Measure.SERVER_ASSIGNMENT_COUNT);
        session.count(Measure.QUERY_COUNT);
        long begun = System.nanoTime();
        count(Measure.SERVER_PARSE_COUNT);
        count(Measure.BIND_COUNT);
        count(Measure.QUERY_COUNT);
        long took = System.nanoTime() - begun;
        add(Measure.QUERY_TIME, took);
        timings.record(Timing.QUERY, took);
        add(Measure.RECEIVED, 100);
        add(Measure.SENT, 200);
        count(Measure.XACT_COUNT);
        add(Measure.XACT_TIME, took);
        add(Measure.IDLE_XACT_TIME, 0);
        timings.record(Timing.TRANSACTION, took);
        session.add(Measure.QUERY_TIME, took);
        session.count(Measure.XACT_COUNT);
        session.add(Measure.XACT_TIME, took);
        return took;
    }

    private void count(Measure measure) {
        connection.count(measure);
        pool.count(measure);
    }

    private void add(Measure measure, long number) {
        connection.add(measure, number);
        pool.add(measure, number);
    }
}
