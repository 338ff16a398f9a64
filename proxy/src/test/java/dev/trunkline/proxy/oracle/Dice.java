package dev.trunkline.proxy.oracle;

import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Chance that a seed repeats. */
final class Dice {

    private final Random random;

    Dice(long seed) {
        this.random = new Random(seed);
    }

    /** Another source of chance, which depends on the seed and the number alone. */
    static Dice of(long seed, int number) {
        return new Dice(seed * 31 + number * 1_000_003L);
    }

    boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }

    /** From 0 to below the bound. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    /** Both ends included. */
    int between(int low, int high) {
        return low + random.nextInt(high - low + 1);
    }

    @SafeVarargs
    final <T> T of(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    <T> T of(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    UUID uuid() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    long seed() {
        return random.nextLong();
    }
}
