package dev.trunkline.proxy.admin;

import dev.trunkline.protocol.error.PgException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Understands commands. Without state, for all threads. */
final class Commands {

    private final Control control;
    private final Shows shows;
    private final Actions actions;

    Commands(Control control) {
        this.control = control;
        this.shows = new Shows(control);
        this.actions = new Actions(control);
    }

    /** The commands of a text, in order; throws PgException if one of them is none. */
    List<Command> read(String text) {
        return Words.commands(text).stream().map(this::read).toList();
    }

    private Command read(Words words) {
        String verb = words.keyword();
        Command command = switch (verb) {
            case "SHOW" -> show(words);
            case "SET" -> set(words);
            default -> actions.read(verb, words);
        };
        if (command == null) {
            command = Chatter.read(verb, words);
        }
        if (command == null) {
            throw unknown(words);
        }
        return command;
    }

    private static PgException unknown(Words words) {
        return AdminErrors.unknownCommand(words.source());
    }

    private Command show(Words words) {
        if (words.atEnd()) {
            throw AdminErrors.malformed("SHOW", Filter.FORM);
        }
        Command chatter = shows.columns(words.peek()) == null ? Chatter.show(words) : null;
        return chatter == null ? shows.read(words) : chatter;
    }

    /** {@code SET [SESSION | LOCAL] name TO | = value}. */
    private Command set(Words words) {
        if (Chatter.isSetting(words.peek())) {
            return done();
        }
        String name = words.any().toLowerCase(Locale.ROOT);
        boolean hasSign = words.take("TO") || words.take("=");
        @Nullable String value = words.atEnd() ? null : words.any();
        if (!hasSign || value == null || !words.atEnd()) {
            throw AdminErrors.malformed("SET", "SET setting TO value");
        }
        if (!ConfigTables.names().contains(name)) {
            throw AdminErrors.unknown("setting", name);
        }
        return Command.action(() -> control.set(name, value).map(set -> Command.Result.done("SET")));
    }

    private static Command done() {
        return Command.action(() -> io.vertx.core.Future.succeededFuture(Command.Result.done("SET")));
    }
}
