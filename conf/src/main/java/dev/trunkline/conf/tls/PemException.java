package dev.trunkline.conf.tls;

/** What is wrong with a PEM file; the message continues the name of the setting and never repeats a key. */
public final class PemException extends Exception {

    private static final long serialVersionUID = 1L;

    PemException(String problem) {
        super(problem);
    }

    PemException(String problem, Throwable cause) {
        super(problem, cause);
    }

    /** The problem as a part of a sentence. */
    public String problem() {
        return String.valueOf(getMessage());
    }
}
