package dev.trunkline.proxy.frontend;

import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.backend.BackendKeyData;
import dev.trunkline.protocol.frontend.CancelRequest;
import dev.trunkline.protocol.frontend.StartupMessage;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The keys that the clients of this process have been given, and what a CancelRequest with each of them does. Safe for
 * any thread.
 */
public final class CancelKeys {

    /** All that protocol 3.0 has room for. */
    private static final int SHORT_SECRET_BYTES = 4;
    /** What PostgreSQL gives to clients of protocol 3.2. */
    private static final int LONG_SECRET_BYTES = 32;

    private record Holder(byte[] secret, Cancel cancel) {}

    /** Cancels what a client is doing. */
    @FunctionalInterface
    interface Cancel {
        /** Calls {@code taken}, on any thread, when whatever the client sends from then on cannot be hit. */
        void cancel(Runnable taken);
    }

    private final SecureRandom random = new SecureRandom();
    private final ConcurrentHashMap<Integer, Holder> holders = new ConcurrentHashMap<>();

    /** A new key; {@code cancel} runs on the thread that receives the request. */
    BackendKeyData issue(int protocolVersion, Cancel cancel) {
        boolean isLong = protocolVersion >= StartupMessage.VERSION_3_2;
        byte[] secret = new byte[isLong ? LONG_SECRET_BYTES : SHORT_SECRET_BYTES];
        random.nextBytes(secret);
        Holder holder = new Holder(secret, cancel);
        int processId = positive();
        while (holders.putIfAbsent(processId, holder) != null) {
            processId = positive();
        }
        return new BackendKeyData(processId, ByteSlice.of(secret));
    }

    private int positive() {
        return 1 + random.nextInt(Integer.MAX_VALUE - 1);
    }

    /** The client of this key has gone. */
    void withdraw(int processId) {
        holders.remove(processId);
    }

    /**
     * Carries a CancelRequest out if its key is right.
     *
     * @param taken called, on any thread, when it has taken effect or has none
     */
    void cancel(CancelRequest request, Runnable taken) {
        Holder holder = holders.get(request.processId());
        if (holder != null
                && MessageDigest.isEqual(holder.secret, request.secretKey().toByteArray())) {
            holder.cancel.cancel(taken);
        } else {
            taken.run();
        }
    }

    /** Clients that hold a key. */
    public int size() {
        return holders.size();
    }
}
