package dev.trunkline.proxy;

import sun.misc.Signal;

/** SIGHUP, by which an administrator asks for a reload. */
final class Hangup {

    private Hangup() {}

    /** Runs the action on a thread of its own at each SIGHUP; nothing where the platform has no such signal. */
    static void handle(Runnable action) {
        try {
            Signal.handle(new Signal("HUP"), signal -> action.run());
        } catch (IllegalArgumentException e) {
            // No such signal here, or the Java runtime keeps it for itself (-Xrs).
        }
    }
}
