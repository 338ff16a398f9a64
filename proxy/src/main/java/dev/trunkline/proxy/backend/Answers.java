package dev.trunkline.proxy.backend;

/**
 * Which messages may be part of the answer to which one, ErrorResponse, ReadyForQuery and what comes at any time aside. A
 * server that sends another is out of step, and who went on would give one statement's answer to the next.
 */
final class Answers {

    private static final int TYPES = 128;
    private static final boolean[][] FITS = new boolean[Reply.Step.values().length][];

    static {
        for (Reply.Step step : Reply.Step.values()) {
            FITS[step.ordinal()] = table(types(step));
        }
    }

    private Answers() {}

    private static String types(Reply.Step step) {
        return switch (step) {
            case PARSE -> "1";
            case BIND -> "2";
            case DESCRIBE_STATEMENT -> "tTn";
            case DESCRIBE_PORTAL -> "Tn";
            case EXECUTE -> "DCIsGHWdc";
            case CLOSE -> "3";
            case QUERY -> "TDCIGHWdcV";
            case SYNC, LOCAL -> "";
        };
    }

    private static boolean[] table(String types) {
        boolean[] fits = new boolean[TYPES];
        types.chars().forEach(type -> fits[type] = true);
        return fits;
    }

    /** True when a message of this type may answer the step. */
    static boolean fits(Reply.Step step, byte type) {
        return type >= 0 && FITS[step.ordinal()][type];
    }
}
