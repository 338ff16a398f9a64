package dev.trunkline.routing.sql;

/** The quoted segments of one string constant: the first and its continuations on later lines. */
final class Segments {

    private Segments() {}

    /** Appends the text between the quotes of every segment in text[quoteAt, end), each doubled quote once. */
    static void appendUnquoted(byte[] text, int quoteAt, int end, ByteBuilder into) {
        int quote = quoteAt;
        while (quote >= 0) {
            int after = Scan.quoted(text, quote, end);
            for (int i = quote + 1; i < after - 1; i++) {
                into.append(text[i]);
                if (text[i] == '\'') {
                    i++;
                }
            }
            quote = next(text, after, end);
        }
    }

    /** The opening quote of the next segment; -1 after the last. */
    static int next(byte[] text, int after, int end) {
        return after < end ? Scan.continuation(text, after, end) : -1;
    }
}
