package dev.trunkline.proxy.backend;

import dev.trunkline.protocol.TransactionStatus;
import dev.trunkline.proxy.measure.Counters;
import dev.trunkline.proxy.measure.Measure;
import dev.trunkline.proxy.measure.Timing;
import dev.trunkline.proxy.measure.Timings;
import dev.trunkline.proxy.net.WireChannel;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one server connection does, for itself and for the pool that uses it. The clock is read twice a request:
 * when a server at rest is sent something, and at each ReadyForQuery.
 */
final class ServerMeter {

    /** Where the number begins in a tag such as {@code UPDATE 3}. */
    private static final int TAG = 5;

    private final WireChannel wire;
    private final Counters own = new Counters();
    private Counters pool = new Counters();
    /** Null before a pool has taken the connection over. */
    private @Nullable Timings timings;

    private long busySince;
    private long transactionSince;
    private boolean inTransaction;
    private long busyInTransaction;
    private long lastBusy;
    private long lastTransaction;
    private long lastReady = System.nanoTime();
    private long received;
    private long sent;

    ServerMeter(WireChannel wire) {
        this.wire = wire;
    }

    void countFor(Counters counters, Timings distributions) {
        pool = counters;
        timings = distributions;
    }

    Counters own() {
        return own;
    }

    long busySince() {
        return busySince;
    }

    long lastBusy() {
        return lastBusy;
    }

    long lastTransaction() {
        return lastTransaction;
    }

    long lastReady() {
        return lastReady;
    }

    void count(Measure measure) {
        own.count(measure);
        pool.count(measure);
    }

    private void add(Measure measure, long number) {
        own.add(measure, number);
        pool.add(measure, number);
    }

    /** A server that owed nothing is about to be sent something. */
    void begins() {
        busySince = System.nanoTime();
        if (!inTransaction) {
            inTransaction = true;
            transactionSince = busySince;
        }
    }

    void sent(Reply reply) {
        switch (reply.step()) {
            case QUERY, EXECUTE -> {
                if (reply.use() != Reply.Use.SWALLOW) {
                    count(Measure.QUERY_COUNT);
                }
            }
            case PARSE -> count(Measure.SERVER_PARSE_COUNT);
            case BIND -> count(Measure.BIND_COUNT);
            case CLOSE -> count(Measure.CLOSE_COUNT);
            case DESCRIBE_STATEMENT, DESCRIBE_PORTAL, SYNC, LOCAL -> {}
        }
    }

    /** ReadyForQuery has come. */
    void ready(Reply reply, TransactionStatus before, TransactionStatus after, boolean atRest) {
        long now = System.nanoTime();
        lastBusy = now - busySince;
        lastReady = now;
        busySince = now;
        busyInTransaction += lastBusy;
        boolean isOurs = reply.use() == Reply.Use.SWALLOW;
        add(Measure.QUERY_TIME, lastBusy);
        if (!isOurs) {
            record(Timing.QUERY, lastBusy);
        }
        bytes();
        if (after == TransactionStatus.IDLE) {
            if (!isOurs || before != TransactionStatus.IDLE) {
                transactionEnded(now - transactionSince);
            }
            busyInTransaction = 0;
            transactionSince = now;
            inTransaction = !atRest;
        }
    }

    private void transactionEnded(long nanos) {
        lastTransaction = nanos;
        count(Measure.XACT_COUNT);
        add(Measure.XACT_TIME, nanos);
        add(Measure.IDLE_XACT_TIME, Math.max(0, nanos - busyInTransaction));
        record(Timing.TRANSACTION, nanos);
    }

    private void record(Timing timing, long nanos) {
        if (timings != null) {
            timings.record(timing, nanos);
        }
    }

    private void bytes() {
        long nowReceived = wire.receivedBytes();
        long nowSent = wire.sentBytes();
        add(Measure.RECEIVED, nowReceived - received);
        add(Measure.SENT, nowSent - sent);
        received = nowReceived;
        sent = nowSent;
    }

    /** A CommandComplete has come: {@code 'C' | int32 length | string tag}. */
    void completed(ByteBuf buffer, int start, int end, boolean copiedIn) {
        if (end - start < TAG + 5) {
            return;
        }
        switch (buffer.getInt(start + TAG)) {
            case 0x53454c45, 0x46455443 -> count(Measure.READS); // SELE, FETC
            case 0x494e5345 -> wrote(Measure.ROWS_INSERTED, buffer, start, end); // INSE
            case 0x55504441 -> wrote(Measure.ROWS_UPDATED, buffer, start, end); // UPDA
            case 0x44454c45 -> wrote(Measure.ROWS_DELETED, buffer, start, end); // DELE
            case 0x4d455247 -> count(Measure.WRITES); // MERG
            case 0x434f5059 -> { // COPY
                if (copiedIn) {
                    wrote(Measure.ROWS_INSERTED, buffer, start, end);
                } else {
                    count(Measure.READS);
                }
            }
            default -> {}
        }
    }

    private void wrote(Measure rows, ByteBuf buffer, int start, int end) {
        count(Measure.WRITES);
        long number = 0;
        long place = 1;
        for (int i = end - 2; i > start + TAG; i--) {
            int digit = buffer.getByte(i) - '0';
            if (digit < 0 || digit > 9) {
                break;
            }
            number += digit * place;
            place *= 10;
        }
        add(rows, number);
    }
}
