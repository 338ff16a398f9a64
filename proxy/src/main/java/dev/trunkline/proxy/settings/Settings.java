package dev.trunkline.proxy.settings;

import com.github.benmanes.caffeine.cache.Interner;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The run-time parameters that a session has set, as SQL value texts by lower-case name; immutable.
 *
 * <p>Compared by value with a precomputed hash: whether a server connection already carries a session's settings is
 * decided at every check-out, and equal ones are one object for the most part.
 */
public final class Settings {

    /** Its value may leave a part as it is: {@code SET DateStyle TO German} keeps the order of day and month. */
    public static final String DATE_STYLE = "datestyle";

    private static final Interner<Settings> INTERNER = Interner.newWeakInterner();

    /** Nothing is set: the server's defaults. */
    public static final Settings NONE = new Settings(new TreeMap<>());

    private static final String ROLE = "role";
    private static final String SESSION_AUTHORIZATION = "session_authorization";

    /** The value of a parameter that is at its default but was set before: see {@link #reset}. */
    private static final String DEFAULT = "DEFAULT";

    private final TreeMap<String, String> values;
    private final int hash;

    private Settings(TreeMap<String, String> values) {
        this.values = values;
        this.hash = values.hashCode();
    }

    /** The settings of a map; the values are SQL text, ready to stand after {@code SET name TO}. */
    public static Settings of(Map<String, String> values) {
        return values.isEmpty() ? NONE : INTERNER.intern(new Settings(new TreeMap<>(values)));
    }

    /** Name to value, in order of name. */
    public Map<String, String> values() {
        return values;
    }

    /** The value of a parameter, or null when it is not set. */
    public @Nullable String get(String name) {
        return values.get(name);
    }

    /** These settings with one changed; null takes it out. */
    public Settings with(String name, @Nullable String value) {
        TreeMap<String, String> changed = new TreeMap<>(values);
        if (value == null) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        return of(changed);
    }

    /**
     * These settings after RESET of one. Who the session is takes the role with it. An extension's parameter, which has a
     * dot in its name, stays known with its default, mostly an empty value: on a connection where nobody has set it,
     * PostgreSQL would not know it at all.
     */
    public Settings reset(String name) {
        Settings left = name.equals(SESSION_AUTHORIZATION) ? with(ROLE, null) : this;
        return left.with(name, isCustom(name) ? DEFAULT : null);
    }

    /** These settings after RESET ALL, which keeps role and session authorization. */
    public Settings resetAll() {
        Settings left = this;
        for (String name : values.keySet()) {
            if (!isIdentity(name)) {
                left = left.reset(name);
            }
        }
        return left;
    }

    /**
     * The statements that turn a session with these settings into one with others; empty when there is nothing to do.
     * What one may set depends on who one is: role and session authorization are given up before anything else changes
     * and taken on last.
     */
    public String changesTo(Settings wanted) {
        if (equals(wanted)) {
            return "";
        }
        StringBuilder others = new StringBuilder();
        appendOthers(others, wanted);
        boolean anew = others.length() > 0;
        boolean login = anew || differs(wanted, SESSION_AUTHORIZATION);
        boolean role = login || differs(wanted, ROLE);
        StringBuilder sql = new StringBuilder();
        if (role && values.containsKey(ROLE)) {
            sql.append("RESET ROLE;");
        }
        if (login && values.containsKey(SESSION_AUTHORIZATION)) {
            sql.append("RESET SESSION AUTHORIZATION;");
        }
        sql.append(others);
        String wantedLogin = wanted.values.get(SESSION_AUTHORIZATION);
        if (login && wantedLogin != null) {
            appendSet(sql, SESSION_AUTHORIZATION, wantedLogin);
        }
        String wantedRole = wanted.values.get(ROLE);
        if (role && wantedRole != null) {
            appendSet(sql, ROLE, wantedRole);
        }
        return sql.toString();
    }

    /** True when no value holds anything but ASCII. */
    public boolean isAscii() {
        return values.values().stream().allMatch(Settings::isAscii);
    }

    /** True when a value means the same in every client_encoding. */
    public static boolean isAscii(String value) {
        return value.chars().allMatch(character -> character < 128);
    }

    private boolean differs(Settings wanted, String name) {
        return !Objects.equals(values.get(name), wanted.values.get(name));
    }

    /** Everything but who the session is. */
    private void appendOthers(StringBuilder sql, Settings wanted) {
        for (Map.Entry<String, String> entry : values.entrySet()) {
            String name = entry.getKey();
            if (!wanted.values.containsKey(name)
                    && !isIdentity(name)
                    && !entry.getValue().equals(DEFAULT)) {
                appendReset(sql, name);
            }
        }
        for (Map.Entry<String, String> entry : wanted.values.entrySet()) {
            String name = entry.getKey();
            if (!isIdentity(name) && differs(wanted, name)) {
                if (name.equals(DATE_STYLE) && values.containsKey(name)) {
                    // A new style alone would keep the old order of day and month, and the other way round.
                    appendReset(sql, name);
                }
                appendSet(sql, name, entry.getValue());
            }
        }
    }

    private static void appendReset(StringBuilder sql, String name) {
        sql.append("RESET ").append(quoted(name)).append(';');
    }

    private static void appendSet(StringBuilder sql, String name, String value) {
        sql.append("SET ").append(quoted(name)).append(" TO ").append(value).append(';');
    }

    /** Who the session is: its role or its session authorization. */
    public static boolean isIdentity(String name) {
        return name.equals(ROLE) || name.equals(SESSION_AUTHORIZATION);
    }

    private static boolean isCustom(String name) {
        return name.indexOf('.') >= 0;
    }

    /** A parameter name as SQL: extension parameters hold a dot between two identifiers. */
    public static String quoted(String name) {
        StringBuilder sql = new StringBuilder(name.length() + 4);
        for (String part : name.split("\\.", -1)) {
            sql.append(sql.length() == 0 ? "\"" : ".\"")
                    .append(part.replace("\"", "\"\""))
                    .append('"');
        }
        return sql.toString();
    }

    /** A value as an SQL string constant that means the same whatever standard_conforming_strings says. */
    public static String literal(String value) {
        String doubled = value.replace("'", "''");
        return doubled.indexOf('\\') < 0 ? "'" + doubled + "'" : "E'" + doubled.replace("\\", "\\\\") + "'";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof Settings that && hash == that.hash && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
