package dev.trunkline.harness.fuzz;

/**
 * An exchange gone wrong.
 *
 * @param exchange what it was
 * @param mutation what happened to it
 * @param seed of the mutator that made it
 * @param number among that mutator's mutants: with the seed it makes this one again
 * @param bytes what goes out
 */
public record Mutant(Exchange exchange, Mutation mutation, long seed, int number, byte[] bytes) {

    /** Whether nothing has been said on the connection before. */
    public boolean opensConnection() {
        return exchange.opensConnection();
    }

    /** How to make it again. */
    @Override
    public String toString() {
        return "mutant " + number + " of seed " + seed + " (" + exchange.name() + ", " + mutation + ")";
    }
}
