package dev.trunkline.proxy;

import dev.trunkline.conf.Configuration;
import dev.trunkline.proxy.frontend.Accounts;

/** What a reload replaces, as one value: what belongs together is never seen in halves. For all threads. */
final class InForce {

    private record State(Configuration configuration, TlsFiles files, Accounts accounts) {}

    private volatile State state;

    InForce(Configuration configuration, TlsFiles files, Accounts accounts) {
        this.state = new State(configuration, files, accounts);
    }

    void replace(Configuration configuration, TlsFiles files, Accounts accounts) {
        state = new State(configuration, files, accounts);
    }

    Configuration configuration() {
        return state.configuration;
    }

    TlsFiles files() {
        return state.files;
    }

    Accounts accounts() {
        return state.accounts;
    }
}
