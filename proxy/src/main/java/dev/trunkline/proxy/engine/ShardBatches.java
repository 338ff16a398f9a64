package dev.trunkline.proxy.engine;

import dev.trunkline.copy.split.ShardOutput;
import dev.trunkline.protocol.Frame;
import dev.trunkline.proxy.backend.ServerConnection;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one COPY on their way to each server, gathered to CopyData messages of {@value #BATCH_BYTES} bytes. Where
 * they are cut means nothing to a server.
 */
final class ShardBatches implements ShardOutput {

    private static final int BATCH_BYTES = 64 * 1024;

    /** A COPY of few rows takes no more room than this. */
    private static final int FIRST_BATCH_BYTES = 4 * 1024;

    private final List<ServerConnection> servers;
    private final CopyProgress progress;
    private final @Nullable ByteBuf[] batches;
    private final int[] sizes;

    ShardBatches(List<ServerConnection> servers, CopyProgress progress) {
        this.servers = servers;
        this.progress = progress;
        this.batches = new ByteBuf[servers.size()];
        this.sizes = new int[servers.size()];
    }

    @Override
    public void bytes(int place, byte[] bytes, int from, int end) {
        progress.sent(place, end - from);
        int at = from;
        while (at < end) {
            ByteBuf batch = batch(place);
            int length = Math.min(end - at, sizes[place] - batch.readableBytes());
            batch.writeBytes(bytes, at, length);
            at += length;
            if (batch.readableBytes() == sizes[place]) {
                send(place);
            }
        }
    }

    @Override
    public void toAll(byte[] bytes, int from, int end) {
        for (int place = 0; place < servers.size(); place++) {
            bytes(place, bytes, from, end);
        }
    }

    private ByteBuf batch(int place) {
        ByteBuf batch = batches[place];
        if (batch == null) {
            sizes[place] = sizes[place] == 0 ? FIRST_BATCH_BYTES : BATCH_BYTES;
            batch = servers.get(place).wire().buffer(sizes[place]);
            batch.writeByte('d').writeInt(0);
            batches[place] = batch;
        }
        return batch;
    }

    /** Sends what has been gathered for a server. */
    void send(int place) {
        ByteBuf batch = batches[place];
        if (batch != null) {
            batches[place] = null;
            batch.setInt(1, batch.readableBytes() - 1);
            servers.get(place).sendPlain(batch);
        }
    }

    /** Sends what has been gathered for every server. */
    void sendAll() {
        for (int place = 0; place < batches.length; place++) {
            send(place);
        }
    }

    /** True when something has been gathered. */
    boolean isPending() {
        for (ByteBuf batch : batches) {
            if (batch != null) {
                return true;
            }
        }
        return false;
    }

    /** True when a server takes no more for now. */
    boolean isBlocked() {
        for (ServerConnection server : servers) {
            if (!server.wire().isWritable()) {
                return true;
            }
        }
        return false;
    }

    /** Sends the same to every server at once; the caller keeps its reference. */
    void relay(ByteBuf buffer, int start, int end) {
        for (int place = 0; place < servers.size(); place++) {
            ServerConnection server = servers.get(place);
            ByteBuf header = server.wire().buffer(Frame.HEADER_BYTES);
            header.writeByte('d').writeInt(end - start + Integer.BYTES);
            server.sendPlain(header);
            server.sendPlain(buffer.retainedSlice(start, end - start));
            progress.sent(place, end - start);
        }
    }

    /** Nothing more is sent. */
    void drop() {
        for (int place = 0; place < batches.length; place++) {
            ByteBuf batch = batches[place];
            if (batch != null) {
                batches[place] = null;
                batch.release();
            }
        }
    }
}
