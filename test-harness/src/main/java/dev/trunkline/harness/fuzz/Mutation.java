package dev.trunkline.harness.fuzz;

import dev.trunkline.harness.wire.Frame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A way for an exchange to go wrong. */
public enum Mutation {
    /** A few bits anywhere are the other way round. */
    BIT_FLIPS {
        @Override
        byte[] apply(List<Frame> frames, Random random) {
            byte[] all = Exchange.bytes(frames);
            for (int i = random.nextInt(8); i >= 0; i--) {
                all[random.nextInt(all.length)] ^= (byte) (1 << random.nextInt(8));
            }
            return all;
        }
    },
    /** The stream ends early. */
    TRUNCATION {
        @Override
        byte[] apply(List<Frame> frames, Random random) {
            byte[] all = Exchange.bytes(frames);
            return Arrays.copyOf(all, random.nextInt(all.length));
        }
    },
    /** A length is off by a little, so that the next frame begins in the wrong place. */
    WRONG_LENGTH {
        @Override
        byte[] apply(List<Frame> frames, Random random) {
            int offset = 1 + random.nextInt(16);
            return withLength(frames, random, random.nextBoolean() ? offset : -offset, true);
        }
    },
    /** A length announces more than anybody would hold. */
    OVERSIZE_LENGTH {
        @Override
        byte[] apply(List<Frame> frames, Random random) {
            return withLength(
                    frames, random, pick(random, 10_001, 1 << 20, 1 << 28, 1 << 30, Integer.MAX_VALUE), false);
        }
    },
    /** A length is less than its own four bytes. */
    IMPOSSIBLE_LENGTH {
        @Override
        byte[] apply(List<Frame> frames, Random random) {
            return withLength(frames, random, pick(random, 0, 1, 3, -1, -4, Integer.MIN_VALUE), false);
        }
    },
    /** A body lacks its end, in a frame of sound length. */
    SHORT_BODY {
        @Override
        byte[] apply(List<Frame> frames, Random random) {
            return withBody(frames, random, body -> Arrays.copyOf(body, body.length - 1 - random.nextInt(body.length)));
        }
    },
    /** Bytes follow the last field of a body, in a frame of sound length. */
    LONG_BODY {
        @Override
        byte[] apply(List<Frame> frames, Random random) {
            return withBody(frames, random, body -> {
                byte[] longer = Arrays.copyOf(body, body.length + 1 + random.nextInt(16));
                for (int i = body.length; i < longer.length; i++) {
                    longer[i] = (byte) random.nextInt();
                }
                return longer;
            });
        }
    },
    /** A count or length within a body has an extreme value. */
    EXTREME_FIELD {
        @Override
        byte[] apply(List<Frame> frames, Random random) {
            return withBody(frames, random, body -> {
                byte[] field = ByteBuffer.allocate(4)
                        .putInt(pick(random, -1, -2, 0, 0x7fff_ffff, 0x8000_0000, 0x7fff_0000, 0xffff_0000))
                        .array();
                byte[] changed = body.clone();
                int offset = random.nextInt(body.length);
                System.arraycopy(field, 0, changed, offset, Math.min(4, body.length - offset));
                return changed;
            });
        }
    },
    /** A type that no client sends, or one that belongs elsewhere. */
    OTHER_TYPE {
        @Override
        byte[] apply(List<Frame> frames, Random random) {
            List<Frame> changed = new ArrayList<>(frames);
            int index = typed(frames, random);
            char type = random.nextBoolean() ? pick(random, 'B', 'p', 'F', 'c', 'd', 'f') : (char) random.nextInt(256);
            changed.set(
                    index,
                    new Frame(
                            type == Frame.UNTYPED ? 'Z' : type,
                            frames.get(index).body()));
            return Exchange.bytes(changed);
        }
    },
    /** Frames come in another order. */
    REORDER {
        @Override
        byte[] apply(List<Frame> frames, Random random) {
            List<Frame> changed = new ArrayList<>(frames);
            Collections.shuffle(changed, random);
            return Exchange.bytes(changed);
        }
    },
    /** A frame comes twice. */
    DUPLICATE {
        @Override
        byte[] apply(List<Frame> frames, Random random) {
            List<Frame> changed = new ArrayList<>(frames);
            int index = random.nextInt(frames.size());
            changed.add(random.nextInt(frames.size() + 1), frames.get(index));
            return Exchange.bytes(changed);
        }
    },
    /** A frame is missing. */
    OMISSION {
        @Override
        byte[] apply(List<Frame> frames, Random random) {
            List<Frame> changed = new ArrayList<>(frames);
            changed.remove(random.nextInt(frames.size()));
            return Exchange.bytes(changed);
        }
    },
    /** Bytes of no frame stand between two frames. */
    GARBAGE {
        @Override
        byte[] apply(List<Frame> frames, Random random) {
            byte[] garbage = new byte[1 + random.nextInt(32)];
            random.nextBytes(garbage);
            int border = random.nextInt(frames.size() + 1);
            byte[] head = Exchange.bytes(frames.subList(0, border));
            byte[] tail = Exchange.bytes(frames.subList(border, frames.size()));
            return ByteBuffer.allocate(head.length + garbage.length + tail.length)
                    .put(head)
                    .put(garbage)
                    .put(tail)
                    .array();
        }
    };

    /** The bytes that go out instead of the given frames, which are at least one. */
    abstract byte[] apply(List<Frame> frames, Random random);

    private interface Change {
        byte[] of(byte[] body);
    }

    /** All frames, one of them with another length in its header; relative to the true one or absolute. */
    private static byte[] withLength(List<Frame> frames, Random random, int length, boolean isRelative) {
        int index = random.nextInt(frames.size());
        byte[] all = Exchange.bytes(frames);
        Frame frame = frames.get(index);
        int offset = Exchange.bytes(frames.subList(0, index)).length + (frame.type() == Frame.UNTYPED ? 0 : 1);
        ByteBuffer.wrap(all).putInt(offset, isRelative ? frame.body().length + 4 + length : length);
        return all;
    }

    /** All frames, one of them (with a body, if there is any) with another one. */
    private static byte[] withBody(List<Frame> frames, Random random, Change change) {
        List<Integer> candidates = new ArrayList<>();
        for (int i = 0; i < frames.size(); i++) {
            if (frames.get(i).body().length > 0) {
                candidates.add(i);
            }
        }
        int index = candidates.get(random.nextInt(candidates.size()));
        List<Frame> changed = new ArrayList<>(frames);
        Frame frame = frames.get(index);
        changed.set(index, new Frame(frame.type(), change.of(frame.body())));
        return Exchange.bytes(changed);
    }

    /** The index of a frame with a type; of any frame if none has one. */
    private static int typed(List<Frame> frames, Random random) {
        List<Integer> candidates = new ArrayList<>();
        for (int i = 0; i < frames.size(); i++) {
            if (frames.get(i).type() != Frame.UNTYPED) {
                candidates.add(i);
            }
        }
        return candidates.isEmpty() ? random.nextInt(frames.size()) : candidates.get(random.nextInt(candidates.size()));
    }

    private static int pick(Random random, int... values) {
        return values[random.nextInt(values.length)];
    }

    private static char pick(Random random, char... values) {
        return values[random.nextInt(values.length)];
    }
}
