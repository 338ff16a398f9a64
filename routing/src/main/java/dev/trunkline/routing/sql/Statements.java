package dev.trunkline.routing.sql;

import java.util.Arrays;

/**
 * The statements of one lexed text, split at top-level semicolons; made to be filled again and again by
 * {@link #split}. Not thread-safe.
 *
 * <p>As in PostgreSQL, statements without a token do not count: no statement at all means an empty query. Token and
 * byte ranges include the first and exclude the last; neither holds the semicolon. Byte ranges hold the comments
 * before and after the statement.
 */
public final class Statements {

    private int count;
    private int[] firstToken = new int[4];
    private int[] endToken = new int[4];
    private int[] startByte = new int[4];
    private int[] endByte = new int[4];
    private int[] directive = new int[4];

    /** Splits all tokens; what was split before is forgotten. */
    public void split(Tokens tokens) {
        count = 0;
        if (tokens.isOneStatement()) {
            whole(tokens);
        } else {
            each(tokens);
        }
        for (int i = 0; i < tokens.directiveCount(); i++) {
            assign(i, tokens.directiveBefore(i));
        }
    }

    /** The common case costs no look at the tokens. */
    private void whole(Tokens tokens) {
        int end = tokens.count();
        int endPlace = tokens.to();
        if (end > 0 && tokens.is(end - 1, TokenKind.SEMICOLON)) {
            endPlace = tokens.start(--end);
        }
        if (end > 0) {
            add(0, end, tokens.from(), endPlace);
        }
    }

    private void each(Tokens tokens) {
        int first = 0;
        int start = tokens.from();
        while (first < tokens.count()) {
            int end = Splitter.endOfStatement(tokens, first);
            boolean semicolon = end < tokens.count();
            int endPlace = semicolon ? tokens.start(end) : tokens.to();
            if (end > first) {
                add(first, end, start, endPlace);
            }
            start = endPlace + 1;
            first = end + 1;
        }
    }

    /** Number of statements; 0 for an empty query. */
    public int count() {
        return count;
    }

    public int firstToken(int statement) {
        return firstToken[statement];
    }

    /** The token after the statement's last: its semicolon or the end. */
    public int endToken(int statement) {
        return endToken[statement];
    }

    public int startByte(int statement) {
        return startByte[statement];
    }

    public int endByte(int statement) {
        return endByte[statement];
    }

    /**
     * Whether a block comment before the statement's first or after its last token (for the last statement also after
     * its semicolon) holds a routing directive.
     */
    public boolean hasDirective(int statement) {
        return directive[statement] >= 0;
    }

    /** Index of the statement's first directive in {@link Tokens#directiveStart}; -1 if it has none. */
    public int directive(int statement) {
        return directive[statement];
    }

    private void assign(int index, int nextToken) {
        for (int i = 0; i < count; i++) {
            boolean afterAll = i == count - 1 && nextToken > endToken[i];
            if (directive[i] < 0 && (nextToken == firstToken[i] || nextToken == endToken[i] || afterAll)) {
                directive[i] = index;
                return;
            }
        }
    }

    private void add(int first, int end, int start, int endPlace) {
        int i = count++;
        if (i == firstToken.length) {
            grow();
        }
        firstToken[i] = first;
        endToken[i] = end;
        startByte[i] = start;
        endByte[i] = endPlace;
        directive[i] = -1;
    }

    private void grow() {
        int size = firstToken.length * 2;
        firstToken = Arrays.copyOf(firstToken, size);
        endToken = Arrays.copyOf(endToken, size);
        startByte = Arrays.copyOf(startByte, size);
        endByte = Arrays.copyOf(endByte, size);
        directive = Arrays.copyOf(directive, size);
    }
}
