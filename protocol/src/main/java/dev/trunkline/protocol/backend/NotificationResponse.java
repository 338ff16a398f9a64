package dev.trunkline.protocol.backend;

import dev.trunkline.protocol.BodyReader;
import dev.trunkline.protocol.FrameWriter;

/**
 * A notification: {@code 'A' | int32 length | int32 processId | string channel | string payload}.
 *
 * @param processId of the session that notified
 * @param channel that was listened to
 * @param payload may be empty
 */
public record NotificationResponse(int processId, String channel, String payload) implements BackendMessage {

    /** The message with the given body. */
    public static NotificationResponse decode(byte[] buffer, int offset, int length) {
        BodyReader body = new BodyReader("NotificationResponse", buffer, offset, length);
        int processId = body.int32();
        String channel = body.text();
        String payload = body.text();
        body.end();
        return new NotificationResponse(processId, channel, payload);
    }

    @Override
    public void encode(FrameWriter out) {
        out.begin(BackendType.NOTIFICATION_RESPONSE);
        out.int32(processId);
        out.cstring(channel);
        out.cstring(payload);
        out.end();
    }
}
