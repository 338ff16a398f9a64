package dev.trunkline.proxy.oracle;

import org.jspecify.annotations.Nullable;

/** One client of the subject and one of the oracle that do the same, step by step. One thread at a time. */
final class Pair implements AutoCloseable {

    private static final String LOOKUP_FAILED = "sharding key lookup failed:";

    private final Mode mode;
    private final Mode.Place subjectPlace;
    private final Mode.Place oraclePlace;
    private final Tally tally;
    private Side subject;
    private Side oracle;

    Pair(Mode mode, Mode.Place subjectPlace, Mode.Place oraclePlace, Tally tally) {
        this.mode = mode;
        this.subjectPlace = subjectPlace;
        this.oraclePlace = oraclePlace;
        this.tally = tally;
        this.subject = mode.open(subjectPlace);
        this.oracle = mode.open(oraclePlace);
    }

    Mode mode() {
        return mode;
    }

    Side.Block block() {
        return subject.block();
    }

    /** Carries out a step on both; throws {@link Difference} when they disagree. */
    void run(Step step) {
        if (step instanceof Step.Ask ask) {
            same(ask.request());
        } else if (step instanceof Step.Vanish vanish) {
            vanish(vanish);
        }
    }

    private void same(Request request) {
        Said got = subject.ask(request);
        tally.count(request);
        if (isRefusal(request, got)) {
            refused(request, got);
            return;
        }
        Said right = oracle.ask(request);
        if (!got.agreesWith(right) && !isAbortedEitherWay(request, got, right)) {
            throw new Difference(request, mode, got, right);
        }
    }

    /** In a failed block PostgreSQL reads a text before it says that it ignores it; the proxy need not. */
    private static boolean isAbortedEitherWay(Request request, Said got, Said right) {
        return request.form() == Form.SYNTAX_ERROR
                && "25P02".equals(got.sqlState())
                && "42601".equals(right.sqlState());
    }

    /** A refusal of the proxy's own, by whatever code this form may be refused with. */
    private static boolean isRefusal(Request request, Said got) {
        return got.isRefusal()
                || switch (request.form()) {
                    case UNMAPPED_KEY -> "40001".equals(got.sqlState()) && isLookupFailure(got);
                    case NULL_KEY -> "22004".equals(got.sqlState());
                    default -> false;
                };
    }

    private static boolean isLookupFailure(Said got) {
        String message = got.message();
        return message != null && message.contains(LOOKUP_FAILED);
    }

    private void refused(Request request, Said got) {
        if (got.isRefusal()) {
            tally.refuse(request, got);
            if (request.promised()) {
                throw new Difference(request, mode, got, null);
            }
        }
        oracle.follow(subject.block());
    }

    private void vanish(Step.Vanish vanish) {
        Request unanswered = vanish.unanswered();
        if (unanswered != null) {
            subject.sendUnanswered(unanswered);
        }
        subject.vanish(vanish.way());
        oracle.close();
        subject = mode.open(subjectPlace);
        oracle = mode.open(oraclePlace);
    }

    @Override
    public void close() {
        subject.close();
        oracle.close();
    }

    /** Two answers to one request that should be equal, or a refusal of what is promised. */
    static final class Difference extends AssertionError {

        private static final long serialVersionUID = 1;

        private final transient Request request;

        Difference(Request request, Mode mode, Said got, @Nullable Said right) {
            super((right == null ? "refused, though promised" : "differs from one PostgreSQL") + " (" + mode + "): "
                    + request + "\n  subject:\n    " + got + "\n  oracle:\n    "
                    + (right == null ? "not asked" : right));
            this.request = request;
        }

        /** Two runs show the same fault when they stumble over the same form. */
        boolean isLike(Difference other) {
            return request.form() == other.request.form();
        }
    }
}
