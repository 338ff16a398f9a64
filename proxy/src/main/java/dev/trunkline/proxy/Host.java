package dev.trunkline.proxy;

import dev.trunkline.conf.Configuration;
import io.vertx.core.Future;

/** What runs the proxy: the command line, or a program that has it within. */
public interface Host {

    /** Reads the configuration again; fails with a ConfigException if it has faults. Called from any thread. */
    Future<Configuration> configuration();

    /** The administrator wants the process to end: at once, or after a drain. Called from any thread. */
    void end(boolean atOnce);
}
