package dev.trunkline.proxy.admin;

import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One command, understood and not yet carried out. */
interface Command {

    /** The columns of its rows; empty = it returns none. */
    List<String> columns();

    /** Carries it out; fails with a PgException if it cannot. */
    Future<Result> run();

    /**
     * What came of it.
     *
     * @param tag of CommandComplete
     * @param table null for a command without rows
     */
    record Result(String tag, @Nullable Table table) {

        static Result of(Table table) {
            return new Result("SHOW", table);
        }

        static Result done(String tag) {
            return new Result(tag, null);
        }
    }

    /** A command without rows. */
    static Command action(java.util.function.Supplier<Future<Result>> action) {
        return new Command() {
            @Override
            public List<String> columns() {
                return List.of();
            }

            @Override
            public Future<Result> run() {
                return action.get();
            }
        };
    }

    /** A command whose rows are known when it runs. */
    static Command rows(List<String> columns, java.util.function.Supplier<Future<Result>> rows) {
        return new Command() {
            @Override
            public List<String> columns() {
                return columns;
            }

            @Override
            public Future<Result> run() {
                return rows.get();
            }
        };
    }
}
