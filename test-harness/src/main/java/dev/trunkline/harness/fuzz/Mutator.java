package dev.trunkline.harness.fuzz;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Makes mutants of exchanges: the same seed, exchanges and number make the same mutant. Immutable, for all threads. */
public final class Mutator {

    private final long seed;
    private final List<Exchange> exchanges;

    /** A mutator of the given exchanges: at least one, each with at least one body. */
    public Mutator(long seed, List<Exchange> exchanges) {
        this.seed = seed;
        this.exchanges = List.copyOf(exchanges);
        if (exchanges.isEmpty() || !exchanges.stream().allMatch(Exchange::hasBody)) {
            throw new IllegalArgumentException("there is nothing to change");
        }
    }

    /** The mutant of the given number, from 0 without end; every kind of mutation comes round in turn. */
    public Mutant mutant(int number) {
        // Neighbouring seeds of Random begin alike: the multiplication drives them apart.
        Random random = new Random((seed + number) * 0x9e37_79b9_7f4a_7c15L);
        Mutation mutation = Mutation.values()[number % Mutation.values().length];
        Exchange exchange = exchanges.get(random.nextInt(exchanges.size()));
        return new Mutant(exchange, mutation, seed, number, mutation.apply(exchange.frames(), random));
    }

    /** The first mutants, in the order of their numbers. */
    public Stream<Mutant> mutants(int count) {
        return IntStream.range(0, count).mapToObj(this::mutant);
    }
}
