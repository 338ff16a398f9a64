package dev.trunkline.harness.wire;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the frames that a server sends; see the manual's chapter "Message Formats". */
public final class Backend {

    private static final int TEXT = 25;

    private Backend() {}

    public static Frame authenticationOk() {
        return Frame.of('R').int32(0).build();
    }

    public static Frame parameterStatus(String name, String value) {
        return Frame.of('S').string(name).string(value).build();
    }

    public static Frame backendKeyData(int processId, int secretKey) {
        return Frame.of('K').int32(processId).int32(secretKey).build();
    }

    public static Frame readyForQuery(char status) {
        return Frame.of('Z').int8(status).build();
    }

    public static Frame error(String severity, String sqlState, String message) {
        return Frame.of('E')
                .int8('S')
                .string(severity)
                .int8('V')
                .string(severity)
                .int8('C')
                .string(sqlState)
                .int8('M')
                .string(message)
                .int8(0)
                .build();
    }

    /** Columns of type text. */
    public static Frame rowDescription(List<String> names) {
        Frame.Builder frame = Frame.of('T').int16(names.size());
        for (String name : names) {
            frame = frame.string(name)
                    .int32(0)
                    .int16(0)
                    .int32(TEXT)
                    .int16(-1)
                    .int32(-1)
                    .int16(0);
        }
        return frame.build();
    }

    public static Frame dataRow(List<? extends @Nullable String> values) {
        Frame.Builder frame = Frame.of('D').int16(values.size());
        for (String value : values) {
            frame = frame.value(value == null ? null : value.getBytes(StandardCharsets.UTF_8));
        }
        return frame.build();
    }

    public static Frame commandComplete(String tag) {
        return Frame.of('C').string(tag).build();
    }

    /** A message without a body: '1' ParseComplete, '2' BindComplete, '3' CloseComplete, 'n' NoData, 'I', 's'. */
    public static Frame empty(char type) {
        return Frame.of(type).build();
    }

    /** ParameterDescription of a statement without parameters. */
    public static Frame noParameters() {
        return Frame.of('t').int16(0).build();
    }
}
