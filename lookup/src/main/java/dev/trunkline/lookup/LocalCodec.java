package dev.trunkline.lookup;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;

/** Hands an immutable object to a receiver in the same process. */
final class LocalCodec implements MessageCodec<Object, Object> {

    static final String NAME = "trunkline.lookup";

    @Override
    public void encodeToWire(Buffer buffer, Object message) {
        throw new UnsupportedOperationException("lookup messages do not leave the process");
    }

    @Override
    public Object decodeFromWire(int position, Buffer buffer) {
        throw new UnsupportedOperationException("lookup messages do not enter the process");
    }

    @Override
    public Object transform(Object message) {
        return message;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte systemCodecID() {
        return -1;
    }
}
