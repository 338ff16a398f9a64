package dev.trunkline.protocol.frontend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Opens a session: {@code int32 length | int32 version | (string name | string value)* | byte 0}.
 *
 * @param version major version in the upper, minor in the lower 16 bits
 * @param parameters in the order in which they were sent, a name once (the last value counts, as in PostgreSQL); among
 *     them {@code user}, {@code database}, {@code options}, run-time parameters and protocol options {@code _pq_.…}
 */
public record StartupMessage(int version, Map<String, String> parameters) implements InitialMessage {

    /** The one major version. */
    public static final int MAJOR = 3;

    /** Protocol 3.0. */
    public static final int VERSION_3_0 = 3 << 16;

    /** Protocol 3.2: secret keys of variable length. There is no 3.1. */
    public static final int VERSION_3_2 = 3 << 16 | 2;

    private static final String PROTOCOL_OPTION = "_pq_.";

    /** Keeps a copy of the parameters in their order. */
    public StartupMessage {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /**
     * The message with the given body.
     *
     * @throws dev.trunkline.protocol.error.PgException 08P01 FATAL if it is malformed, 22021 if a string is not UTF-8
     */
    public static StartupMessage decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("StartupMessage", buffer, offset, length);
        int version = body.int32();
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String name = body.name(); !name.isEmpty(); name = body.name()) {
            parameters.put(name, body.name());
        }
        body.end();
        return new StartupMessage(version, parameters);
    }

    /** The minor version asked for; the server may negotiate it down. */
    public int minor() {
        return version & 0xffff;
    }

    /** The user; null if the client named none, which PostgreSQL refuses. */
    public @Nullable String user() {
        String user = parameters.get("user");
        return user == null || user.isEmpty() ? null : user;
    }

    /** The database; by default called as the user is. */
    public @Nullable String database() {
        String database = parameters.get("database");
        return database == null || database.isEmpty() ? user() : database;
    }

    /** Whether the name is that of a protocol option, which NegotiateProtocolVersion reports when it is unknown. */
    public static boolean isProtocolOption(String name) {
        return name.startsWith(PROTOCOL_OPTION);
    }

    @Override
    public void encode(FrameWriter out) {
        out.beginStartup();
        out.int32(version);
        parameters.forEach((name, value) -> {
            out.cstring(name);
            out.cstring(value);
        });
        out.int8(0);
        out.end();
    }
}
