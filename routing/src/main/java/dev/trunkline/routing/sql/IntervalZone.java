package dev.trunkline.routing.sql;

import org.jspecify.annotations.Nullable;

/**
 * {@code SET TIME ZONE INTERVAL '-08:00' HOUR TO MINUTE}. As a value of the parameter itself PostgreSQL takes the same
 * interval as a string: {@code 'INTERVAL ''-08:00'''}.
 */
final class IntervalZone {

    private IntervalZone() {}

    /** The value as a string constant; null if the interval is none that PostgreSQL admits here. */
    static @Nullable String read(TokenCursor cursor) {
        cursor.skip();
        cursor.skipParentheses();
        String interval = cursor.takeString();
        if (interval == null || interval.indexOf('\'') >= 0 || interval.indexOf('\\') >= 0) {
            return null;
        }
        Keyword unit = cursor.keyword();
        if (cursor.take(Keyword.HOUR) && cursor.take(Keyword.TO)) {
            unit = cursor.keyword();
            if (!cursor.take(Keyword.MINUTE)) {
                return null;
            }
        }
        boolean bare = interval.strip().chars().allMatch(c -> "+-.0123456789".indexOf(c) >= 0);
        String suffix = !bare || unit == Keyword.NONE_OF_THEM ? "" : unit == Keyword.HOUR ? " hours" : " minutes";
        return "'INTERVAL ''" + interval + suffix + "'''";
    }
}
