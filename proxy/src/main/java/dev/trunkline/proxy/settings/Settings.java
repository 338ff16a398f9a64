package dev.trunkline.proxy.settings;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The run-time parameters that a session has set, as SQL value texts by lower-case name; immutable.
 *
 * <p>Compared by value with a precomputed hash: whether a server connection already carries a session's settings is
 * decided at every check-out.
 */
public final class Settings {

    /** Its value may leave a part as it is: {@code SET DateStyle TO German} keeps the order of day and month. */
    public static final String DATE_STYLE = "datestyle";

    /** Nothing is set: the server's defaults. */
    public static final Settings NONE = new Settings(new TreeMap<>());

    private final TreeMap<String, String> values;
    private final int hash;

    private Settings(TreeMap<String, String> values) {
        this.values = values;
        this.hash = values.hashCode();
    }

    /** The settings of a map; the values are SQL text, ready to stand after {@code SET name TO}. */
    public static Settings of(Map<String, String> values) {
        return values.isEmpty() ? NONE : new Settings(new TreeMap<>(values));
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
     * The statements that turn a session with these settings into one with others; empty when they are equal. Role and
     * session authorization come last when set and first when reset: what one may set depends on who one is.
     */
    public String changesTo(Settings wanted) {
        if (equals(wanted)) {
            return "";
        }
        StringBuilder sql = new StringBuilder();
        for (String name : new String[] {"role", "session_authorization"}) {
            if (values.containsKey(name) && !Objects.equals(values.get(name), wanted.values.get(name))) {
                sql.append(name.equals("role") ? "RESET ROLE;" : "RESET SESSION AUTHORIZATION;");
            }
        }
        for (String name : values.keySet()) {
            if (!wanted.values.containsKey(name) && !isIdentity(name)) {
                appendReset(sql, name);
            }
        }
        for (Map.Entry<String, String> entry : wanted.values.entrySet()) {
            String name = entry.getKey();
            if (!isIdentity(name) && !entry.getValue().equals(values.get(name))) {
                if (name.equals(DATE_STYLE) && values.containsKey(name)) {
                    // A new style alone would keep the old order of day and month, and the other way round.
                    appendReset(sql, name);
                }
                appendSet(sql, name, entry.getValue());
            }
        }
        for (String name : new String[] {"session_authorization", "role"}) {
            String value = wanted.values.get(name);
            if (value != null && !value.equals(values.get(name))) {
                appendSet(sql, name, value);
            }
        }
        return sql.toString();
    }

    private static void appendReset(StringBuilder sql, String name) {
        sql.append("RESET ").append(quoted(name)).append(';');
    }

    private static void appendSet(StringBuilder sql, String name, String value) {
        sql.append("SET ").append(quoted(name)).append(" TO ").append(value).append(';');
    }

    private static boolean isIdentity(String name) {
        return name.equals("role") || name.equals("session_authorization");
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
