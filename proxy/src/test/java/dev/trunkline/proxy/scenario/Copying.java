package dev.trunkline.proxy.scenario;

import dev.trunkline.harness.wire.Answer;
import dev.trunkline.harness.wire.Frame;
import dev.trunkline.harness.wire.Frontend;
import dev.trunkline.harness.wire.WireClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntSupplier;

/** Runs COPY FROM STDIN on a connection. */
final class Copying {

    private Copying() {}

    /**
     * The whole answer to a COPY FROM STDIN; the data go out when the server asks for them.
     *
     * @param lengths says how long the next piece is
     */
    static Answer copy(WireClient wire, Protocol protocol, String sql, byte[] data, IntSupplier lengths) {
        if (protocol == Protocol.SIMPLE) {
            wire.query(sql);
        } else {
            wire.parse("", sql).bind("", "").execute("").sync();
        }
        List<Frame> frames = new ArrayList<>();
        Frame frame;
        do {
            frame = wire.read();
            frames.add(frame);
            if (frame.type() == 'G') {
                send(wire, data, lengths);
                wire.send(Frontend.copyDone());
                if (protocol != Protocol.SIMPLE) {
                    wire.sync();
                }
            }
        } while (frame.type() != 'Z');
        return new Answer(frames);
    }

    private static void send(WireClient wire, byte[] data, IntSupplier lengths) {
        int at = 0;
        while (at < data.length) {
            int end = Math.min(data.length, at + lengths.getAsInt());
            wire.send(data(Arrays.copyOfRange(data, at, end)));
            at = end;
        }
    }

    static Frame data(byte[] bytes) {
        return Frame.of('d').bytes(bytes).build();
    }
}
