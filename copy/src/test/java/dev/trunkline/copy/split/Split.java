package dev.trunkline.copy.split;

import dev.trunkline.copy.format.CopyOptions;
import dev.trunkline.copy.format.KeyEncoding;
import dev.trunkline.copy.format.RowScanner;
import dev.trunkline.copy.format.RowScanner.KeyValue;
import dev.trunkline.routing.sql.Command;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What becomes of one stream that is cut into pieces: the keys in their order, and what each of some shards gets. */
final class Split {

    static final int SHARDS = 3;
    private static final int MOST_HELD = 1 << 20;

    final List<String> keys = new ArrayList<>();
    final List<ByteArrayOutputStream> streams = new ArrayList<>();
    final CopySplitter splitter;
    private boolean unknownOnce;

    Split(CopyOptions options, List<String> columns, int keyField, boolean missesFirst) {
        for (int shard = 0; shard < SHARDS; shard++) {
            streams.add(new ByteArrayOutputStream());
        }
        RowScanner scanner = RowScanner.of(options, columns, keyField, true, KeyEncoding.UTF8);
        splitter = new CopySplitter(scanner, columns, SHARDS, MOST_HELD, placement(missesFirst), new ShardOutput() {
            @Override
            public void bytes(int shard, byte[] bytes, int from, int end) {
                streams.get(shard).write(bytes, from, end - from);
            }

            @Override
            public void toAll(byte[] bytes, int from, int end) {
                streams.forEach(stream -> stream.write(bytes, from, end - from));
            }
        });
    }

    private KeyPlacement placement(boolean missesFirst) {
        return (value, bytes, offset, length) -> {
            unknownOnce = missesFirst && !unknownOnce;
            if (unknownOnce) {
                return KeyPlacement.UNKNOWN;
            }
            String key = text(value, bytes, offset, length);
            keys.add(key);
            return shard(key);
        };
    }

    private static String text(KeyValue value, byte[] bytes, int offset, int length) {
        return switch (value) {
            case NULL -> "<null>";
            case DEFAULT -> "<default>";
            case VALUE -> "=" + new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
        };
    }

    static int shard(String key) {
        return Math.floorMod(key.hashCode(), SHARDS);
    }

    /** Hands over a whole stream in pieces of these lengths in turn, each in an array of its own that is spoiled then. */
    Split take(byte[] stream, List<Integer> lengths) {
        int at = 0;
        for (int i = 0; at < stream.length; i++) {
            int length = Math.min(stream.length - at, Math.max(1, lengths.get(i % lengths.size())));
            byte[] piece = new byte[length + 2];
            System.arraycopy(stream, at, piece, 1, length);
            goOn(splitter.take(piece, 1, length));
            Arrays.fill(piece, (byte) '!');
            at += length;
        }
        goOn(splitter.finish());
        return this;
    }

    private void goOn(boolean taken) {
        boolean done = taken;
        while (!done) {
            done = splitter.resume();
        }
    }

    String stream(int shard) {
        return streams.get(shard).toString(StandardCharsets.ISO_8859_1);
    }

    static CopyOptions options(String... namesAndValues) {
        List<Command.CopyOption> options = new ArrayList<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            options.add(new Command.CopyOption(namesAndValues[i], List.of(namesAndValues[i + 1])));
        }
        return CopyOptions.of(options);
    }
}
