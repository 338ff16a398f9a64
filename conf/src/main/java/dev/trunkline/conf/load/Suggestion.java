package dev.trunkline.conf.load;

import java.util.Collection;
import java.util.Comparator;

/** Guesses what a mistyped name was meant to be. */
final class Suggestion {

    private Suggestion() {}

    /** A clause {@code , did you mean "port"?} for the closest name, or nothing when none is close. */
    static String clause(String typed, Collection<String> names) {
        return names.stream()
                .filter(name -> distance(typed, name) <= tolerance(typed))
                .min(Comparator.comparingInt(name -> distance(typed, name)))
                .map(name -> ", did you mean \"" + name + "\"?")
                .orElse("");
    }

    /** One slip in a short name, one more for every three further letters. */
    private static int tolerance(String typed) {
        return Math.max(1, typed.length() / 3);
    }

    /** Insertions, deletions, substitutions and swaps of neighbours between two names ("optimal string alignment"). */
    static int distance(String left, String right) {
        int[][] cost = new int[left.length() + 1][right.length() + 1];
        for (int i = 0; i <= left.length(); i++) {
            for (int j = 0; j <= right.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(left, right, cost, i, j);
            }
        }
        return cost[left.length()][right.length()];
    }

    private static int cheapest(String left, String right, int[][] cost, int i, int j) {
        boolean same = left.charAt(i - 1) == right.charAt(j - 1);
        int best = Math.min(cost[i - 1][j - 1] + (same ? 0 : 1), Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped = i > 1
                && j > 1
                && left.charAt(i - 1) == right.charAt(j - 2)
                && left.charAt(i - 2) == right.charAt(j - 1);
        return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
