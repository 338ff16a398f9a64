package dev.trunkline.proxy.transaction;

import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.WireClient;

/** Makes transfers over one connection. */
final class Teller implements AutoCloseable {

    /** 40003: it is not known, or not on every shard yet. */
    private static final String UNKNOWN = "40003";

    private final WireClient wire;
    private boolean lost;

    Teller(WireClient wire) {
        this.wire = wire;
    }

    /** True when the connection is of no use any more. */
    boolean isLost() {
        return lost;
    }

    /** Moves an amount from one account to another. */
    Told transfer(long number, int from, int to, long amount) {
        if (!begin(number, from, to, amount)) {
            return Told.ROLLED_BACK;
        }
        return commit();
    }

    /** Everything up to COMMIT; false when it has failed, and is rolled back. */
    boolean begin(long number, int from, int to, long amount) {
        // Always the lower account first: no two transfers wait for each other.
        int first = Math.min(from, to);
        int second = Math.max(from, to);
        long toFirst = first == from ? -amount : amount;
        return ok("BEGIN")
                && ok("UPDATE account SET balance = balance + (" + toFirst + ") WHERE account_id = " + first)
                && ok("UPDATE account SET balance = balance - (" + toFirst + ") WHERE account_id = " + second)
                && ok("INSERT INTO entry VALUES (%d, %d, %d)".formatted(first, number, toFirst))
                && ok("INSERT INTO entry VALUES (%d, %d, %d)".formatted(second, number, -toFirst));
    }

    private boolean ok(String sql) {
        if (said(sql)) {
            return true;
        }
        if (!lost) {
            boolean unused = said("ROLLBACK");
        }
        return false;
    }

    private boolean said(String sql) {
        try {
            return wire.simple(sql).sqlState() == null;
        } catch (AssertionError | RuntimeException gone) {
            lost = true;
            return false;
        }
    }

    /** COMMIT, and what the client is told. */
    Told commit() {
        try {
            Answer answer = wire.simple("COMMIT");
            String state = answer.sqlState();
            if (state == null) {
                return answer.tags().contains("COMMIT") ? Told.COMMITTED : Told.ROLLED_BACK;
            }
            return state.equals(UNKNOWN) ? Told.UNKNOWN : Told.ROLLED_BACK;
        } catch (AssertionError | RuntimeException gone) {
            lost = true;
            return Told.UNKNOWN;
        }
    }

    @Override
    public void close() {
        wire.close();
    }
}
