package dev.trunkline.proxy.engine;

import dev.trunkline.proxy.settings.Settings;
import dev.trunkline.routing.RoutingContext;
import dev.trunkline.routing.sql.Lexer;
import dev.trunkline.routing.sql.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What of a session's settings changes the meaning of its statements; computed again only when it changes. */
final class SearchPath {

    private static final String DEFAULT = "\"$user\", public";

    private final Session session;
    private @Nullable RoutingContext context;
    private @Nullable Settings settings;
    private int reportedVersion;

    SearchPath(Session session) {
        this.session = session;
    }

    RoutingContext context() {
        Settings now = session.settings().current();
        int version = session.reported().version();
        RoutingContext known = context;
        if (known != null && settings == now && reportedVersion == version) {
            return known;
        }
        String path = Objects.requireNonNullElse(now.get("search_path"), DEFAULT);
        boolean strings =
                !session.reported().value("standard_conforming_strings").equals("off");
        RoutingContext found = new RoutingContext(strings, schemas(path, roleOf(now)), Set.of()).interned();
        settings = now;
        reportedVersion = version;
        context = found;
        return found;
    }

    private String roleOf(Settings settings) {
        String set = settings.get("role");
        if (set == null || set.equalsIgnoreCase("none")) {
            set = settings.get("session_authorization");
        }
        return set == null ? session.place().serverUser() : schemas(set, "").get(0);
    }

    /** The names of a list as SQL writes it: identifiers and string constants between commas. */
    static List<String> schemas(String sql, String user) {
        Tokens tokens = Lexer.lex(sql.getBytes(StandardCharsets.UTF_8), true);
        List<String> schemas = new ArrayList<>();
        for (int i = 0; i < tokens.count(); i++) {
            String name = name(tokens, i);
            if (name != null && !name.isEmpty()) {
                schemas.add(name.equals("$user") ? user : name);
            }
        }
        return schemas;
    }

    private static @Nullable String name(Tokens tokens, int token) {
        if (tokens.isName(token)) {
            return tokens.name(token);
        }
        String raw = tokens.raw(token);
        return raw.startsWith("'") ? raw.substring(1, raw.length() - 1).replace("''", "'") : null;
    }
}
