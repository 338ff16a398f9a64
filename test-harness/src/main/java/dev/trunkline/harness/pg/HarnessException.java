package dev.trunkline.harness.pg;

/** Says that the harness itself could not do what a test asked of it, for instance start a server. */
public final class HarnessException extends RuntimeException {

    public HarnessException(String message) {
        super(message);
    }

    public HarnessException(String message, Throwable cause) {
        super(message, cause);
    }
}
