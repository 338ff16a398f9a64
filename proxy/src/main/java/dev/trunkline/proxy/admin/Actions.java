package dev.trunkline.proxy.admin;

import dev.trunkline.proxy.metrics.Observation;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The commands that change something. */
final class Actions {

    private final Control control;

    Actions(Control control) {
        this.control = control;
    }

    /** Reads a command whose first word was taken; null if it is none of these; throws PgException 42601. */
    @Nullable
    Command read(String verb, Words words) {
        return switch (verb) {
            case "RELOAD" -> plain(words, "RELOAD", control::reload);
            case "RECONNECT" -> onDatabase(words, "RECONNECT", "RECONNECT [database]", control::reconnect);
            case "PAUSE" -> pause(words);
            case "RESUME" -> resume(words);
            case "MAINTENANCE" -> maintenance(words);
            case "BAN" -> ban(words, true);
            case "UNBAN" -> ban(words, false);
            case "KILL", "KILL_CLIENT" -> kill(words);
            case "SHUTDOWN" -> shutdown(words);
            case "FLUSH" -> flush(words);
            default -> null;
        };
    }

    private static Command plain(Words words, String tag, java.util.function.Supplier<Future<Void>> action) {
        end(words, tag, tag);
        return Command.action(() -> action.get().map(done -> Command.Result.done(tag)));
    }

    private static void end(Words words, String command, String form) {
        if (!words.atEnd()) {
            throw AdminErrors.malformed(command, form);
        }
    }

    /** An action on one database or, where none is named, on all. */
    private Command onDatabase(Words words, String tag, String form, Function<@Nullable String, Future<Void>> action) {
        String database = words.atEnd() ? null : words.any();
        end(words, tag, form);
        return Command.action(() -> control.observe().compose(seen -> {
            if (database != null && !seen.ready().containsKey(database)) {
                throw AdminErrors.unknown("database", database);
            }
            return action.apply(database).map(done -> Command.Result.done(tag));
        }));
    }

    private Command pause(Words words) {
        if (words.take("LOOKUP")) {
            return lookupWrites(words, "PAUSE", control::pauseLookupWrites);
        }
        return onDatabase(words, "PAUSE", "PAUSE [database] or PAUSE LOOKUP WRITES [table]", control::pause);
    }

    private Command resume(Words words) {
        if (words.take("LOOKUP")) {
            return lookupWrites(words, "RESUME", table -> {
                control.resumeLookupWrites(table);
                return Future.succeededFuture();
            });
        }
        return onDatabase(words, "RESUME", "RESUME [database] or RESUME LOOKUP WRITES [table]", control::resume);
    }

    private Command lookupWrites(Words words, String tag, Function<@Nullable String, Future<Void>> action) {
        boolean isWhole = words.take("WRITES");
        String table = words.atEnd() ? null : words.any();
        if (!isWhole || !words.atEnd()) {
            throw AdminErrors.malformed(tag + " LOOKUP", tag + " LOOKUP WRITES [table]");
        }
        return Command.action(() -> control.observe().compose(seen -> {
            if (table != null && !hasLookup(seen, table)) {
                throw AdminErrors.unknown("lookup", table);
            }
            return action.apply(table).map(done -> Command.Result.done(tag));
        }));
    }

    private static boolean hasLookup(Observation seen, String table) {
        return seen.lookups().values().stream()
                .flatMap(maps -> maps.stream())
                .anyMatch(map -> map.table().equals(table));
    }

    private Command maintenance(Words words) {
        String form = "MAINTENANCE ON | OFF [database]";
        return switch (words.keyword()) {
            case "ON" -> onDatabase(words, "MAINTENANCE", form, control::pause);
            case "OFF" -> onDatabase(words, "MAINTENANCE", form, control::resume);
            default -> throw AdminErrors.malformed("MAINTENANCE", form);
        };
    }

    /** BAN needs to be told which pool; UNBAN without one means all. */
    private Command ban(Words words, boolean banned) {
        String tag = banned ? "BAN" : "UNBAN";
        String form = banned ? "BAN pool, its id in SHOW POOLS" : "UNBAN [pool]";
        if (words.atEnd() && banned) {
            throw AdminErrors.malformed(tag, form);
        }
        String id = words.atEnd() ? null : words.any();
        end(words, tag, form);
        return Command.action(() -> control.observe().compose(seen -> {
            List<Future<Void>> done = new ArrayList<>();
            for (int i = 0; i < seen.pools().size(); i++) {
                if (id == null || id.equals(Integer.toString(i))) {
                    done.add(control.ban(seen.pools().get(i).key(), banned));
                }
            }
            if (id != null && done.isEmpty()) {
                throw AdminErrors.unknown("pool", id);
            }
            return Future.all(done).map(all -> Command.Result.done(tag));
        }));
    }

    private Command kill(Words words) {
        String text = words.any();
        end(words, "KILL", "KILL client");
        int client;
        try {
            client = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw AdminErrors.malformed("KILL", "KILL client, a number");
        }
        return Command.action(() -> control.kill(client).map(killed -> {
            if (!killed) {
                throw AdminErrors.unknown("client", text);
            }
            return Command.Result.done("KILL");
        }));
    }

    private Command shutdown(Words words) {
        boolean atOnce = switch (words.keyword()) {
            case "", "WAIT_FOR_CLIENTS", "WAIT_FOR_SERVERS" -> false;
            case "IMMEDIATE", "NOW" -> true;
            default -> throw AdminErrors.malformed("SHUTDOWN", "SHUTDOWN [IMMEDIATE]");
        };
        end(words, "SHUTDOWN", "SHUTDOWN [IMMEDIATE]");
        return Command.action(() -> {
            control.shutdown(atOnce);
            return Future.succeededFuture(Command.Result.done("SHUTDOWN"));
        });
    }

    private Command flush(Words words) {
        if (!words.take("LOOKUPS")) {
            throw AdminErrors.malformed("FLUSH", "FLUSH LOOKUPS [database]");
        }
        return onDatabase(words, "FLUSH", "FLUSH LOOKUPS [database]", control::flushLookups);
    }
}
