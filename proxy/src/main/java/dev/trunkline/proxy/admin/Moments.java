package dev.trunkline.proxy.admin;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Moments as PostgreSQL writes them, in UTC. */
final class Moments {

    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSX").withZone(ZoneOffset.UTC);

    private static final Clock CLOCK = Clock.systemUTC();

    private Moments() {}

    /** The moment that is so long ago. */
    static String ago(long nanos) {
        return FORM.format(CLOCK.instant().minusNanos(Math.max(0, nanos)));
    }

    /** Milliseconds since 1970 of the present moment. */
    static Instant now() {
        return CLOCK.instant();
    }
}
