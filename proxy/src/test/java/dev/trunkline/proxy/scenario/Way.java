package dev.trunkline.proxy.scenario;

import dev.trunkline.conf.LookupMiss;

/** How a statement reaches a shard: by which protocol, through the proxy that verifies a missing key in which way. */
record Way(Protocol protocol, LookupMiss miss) {

    /** A number of its own, from 0. */
    int ordinal() {
        return miss.ordinal() * Protocol.values().length + protocol.ordinal();
    }

    @Override
    public String toString() {
        return protocol + ", " + miss;
    }
}
