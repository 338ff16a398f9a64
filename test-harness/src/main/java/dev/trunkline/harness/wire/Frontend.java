package dev.trunkline.harness.wire;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the frames that a client sends; see the manual's chapter "Message Formats". */
public final class Frontend {

    public static final int PROTOCOL_3_0 = 3 << 16;

    private static final int CANCEL_REQUEST = 80877102;
    private static final int SSL_REQUEST = 80877103;
    private static final int GSSENC_REQUEST = 80877104;

    private Frontend() {}

    public static Frame startup(int protocol, Map<String, String> parameters) {
        Frame.Builder frame = Frame.of(Frame.UNTYPED).int32(protocol);
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            frame = frame.string(parameter.getKey()).string(parameter.getValue());
        }
        return frame.int8(0).build();
    }

    public static Frame sslRequest() {
        return Frame.of(Frame.UNTYPED).int32(SSL_REQUEST).build();
    }

    public static Frame gssEncRequest() {
        return Frame.of(Frame.UNTYPED).int32(GSSENC_REQUEST).build();
    }

    public static Frame cancelRequest(int processId, byte[] secretKey) {
        return Frame.of(Frame.UNTYPED)
                .int32(CANCEL_REQUEST)
                .int32(processId)
                .bytes(secretKey)
                .build();
    }

    public static Frame query(String sql) {
        return Frame.of('Q').string(sql).build();
    }

    public static Frame parse(String statement, String sql, int... types) {
        Frame.Builder frame = Frame.of('P').string(statement).string(sql).int16(types.length);
        for (int type : types) {
            frame = frame.int32(type);
        }
        return frame.build();
    }

    /**
     * A Bind message.
     *
     * @param values a String goes as text, a byte[] as binary, null as NULL, anything else as its text
     * @param resultFormats 0 text, 1 binary; none = all text
     */
    public static Frame bind(String portal, String statement, @Nullable Object[] values, int... resultFormats) {
        Frame.Builder frame = Frame.of('B').string(portal).string(statement).int16(values.length);
        for (Object value : values) {
            frame = frame.int16(value instanceof byte[] ? 1 : 0);
        }
        frame = frame.int16(values.length);
        for (Object value : values) {
            frame = frame.value(encoded(value));
        }
        frame = frame.int16(resultFormats.length);
        for (int format : resultFormats) {
            frame = frame.int16(format);
        }
        return frame.build();
    }

    public static Frame describeStatement(String name) {
        return Frame.of('D').int8('S').string(name).build();
    }

    public static Frame describePortal(String name) {
        return Frame.of('D').int8('P').string(name).build();
    }

    public static Frame execute(String portal, int mostRows) {
        return Frame.of('E').string(portal).int32(mostRows).build();
    }

    public static Frame closeStatement(String name) {
        return Frame.of('C').int8('S').string(name).build();
    }

    public static Frame closePortal(String name) {
        return Frame.of('C').int8('P').string(name).build();
    }

    public static Frame sync() {
        return Frame.of('S').build();
    }

    public static Frame flush() {
        return Frame.of('H').build();
    }

    public static Frame terminate() {
        return Frame.of('X').build();
    }

    public static Frame copyData(String data) {
        return Frame.of('d').bytes(data.getBytes(StandardCharsets.UTF_8)).build();
    }

    public static Frame copyDone() {
        return Frame.of('c').build();
    }

    public static Frame copyFail(String message) {
        return Frame.of('f').string(message).build();
    }

    /** A password, or the answer to a challenge by md5. */
    public static Frame password(String answer) {
        return Frame.of('p').string(answer).build();
    }

    public static Frame saslInitialResponse(String mechanism, String message) {
        return Frame.of('p')
                .string(mechanism)
                .value(message.getBytes(StandardCharsets.UTF_8))
                .build();
    }

    public static Frame saslResponse(String message) {
        return Frame.of('p').bytes(message.getBytes(StandardCharsets.UTF_8)).build();
    }

    private static byte @Nullable [] encoded(@Nullable Object value) {
        if (value == null || value instanceof byte[]) {
            return (byte[]) value;
        }
        return value.toString().getBytes(StandardCharsets.UTF_8);
    }
}
