package dev.trunkline.routing.sql;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The tokens of one piece of SQL text; made to be filled again and again by {@link Lexer#lex}. Not thread-safe.
 *
 * <p>Tokens are numbered from 0; white space and comments are none. Index {@link #count()} may be asked about too: it
 * is an {@link TokenKind#END} of no length. Positions are places in {@link #text()}, the array that was lexed; it is
 * not copied, so it must not change while these tokens are in use.
 */
public final class Tokens {

    private static final byte[] NOTHING = new byte[0];

    private byte[] text = NOTHING;
    private int from;
    private int to;
    private int count;
    private int[] start = new int[64];
    private int[] end = new int[64];
    private byte[] kind = new byte[64];
    private short[] keyword = new short[64];
    private int depth;
    private int maxDepth;
    private int semicolons;
    private boolean malformed;
    private boolean unterminated;
    private int directives;
    private int[] directive = new int[3];

    /** The array that was lexed. */
    public byte[] text() {
        return text;
    }

    /** Where the lexed text begins in {@link #text()}. */
    public int from() {
        return from;
    }

    /** Where the lexed text ends in {@link #text()}. */
    public int to() {
        return to;
    }

    public int count() {
        return count;
    }

    /** What the token is; END at {@link #count()}. */
    public TokenKind kind(int token) {
        return TokenKind.at(kind[token]);
    }

    /** The key word that the token is, or {@link Keyword#NONE_OF_THEM}. */
    public Keyword keyword(int token) {
        return Keywords.at(keyword[token]);
    }

    int keywordOrdinal(int token) {
        return keyword[token];
    }

    /** The place of the token's first byte. */
    public int start(int token) {
        return start[token];
    }

    /** The place after the token's last byte. */
    public int end(int token) {
        return end[token];
    }

    public boolean is(int token, TokenKind expected) {
        return kind[token] == expected.ordinal();
    }

    public boolean is(int token, Keyword expected) {
        return keyword[token] == expected.ordinal();
    }

    /** Whether the token is the operator of this one character. */
    public boolean isOperator(int token, char operator) {
        return is(token, TokenKind.OPERATOR) && end[token] == start[token] + 1 && text[start[token]] == operator;
    }

    /** Whether the token's bytes, in whatever case, are this word in lower case. */
    public boolean isWord(int token, String lowerCaseWord) {
        return is(token, TokenKind.WORD)
                && end[token] - start[token] == lowerCaseWord.length()
                && Bytes.startsWith(text, start[token], end[token], lowerCaseWord);
    }

    /** Whether the token is an identifier or a key word, quoted or not. */
    public boolean isName(int token) {
        return is(token, TokenKind.WORD) || kind(token).isQuotedName();
    }

    /**
     * The name that a WORD or quoted identifier means: folded to lower case or with its quotes and escapes resolved,
     * cut to 63 bytes at a character's end.
     */
    public String name(int token) {
        return Names.decode(this, token);
    }

    /** The token's own characters. */
    public String raw(int token) {
        return new String(text, start[token], end[token] - start[token], StandardCharsets.UTF_8);
    }

    /** The number of a {@code $n}; -1 if it is beyond what PostgreSQL can number (65535). */
    public int parameter(int token) {
        int number = 0;
        for (int i = start[token] + 1; i < end[token]; i++) {
            number = number * 10 + (text[i] - '0');
            if (number > 65_535) {
                return -1;
            }
        }
        return number;
    }

    /** Greatest depth of nested parentheses and brackets. */
    public int maxDepth() {
        return maxDepth;
    }

    /** Whether there is a {@link TokenKind#JUNK} token: PostgreSQL's lexer refuses the text. */
    public boolean malformed() {
        return malformed;
    }

    /** Whether the text ends inside a constant, a quoted identifier or a comment; then it is malformed too. */
    public boolean unterminated() {
        return unterminated;
    }

    /** Number of block comments that hold a routing directive, in order of the text. */
    public int directiveCount() {
        return directives;
    }

    /** The token that follows the directive's comment; {@link #count()} if none does. */
    public int directiveBefore(int index) {
        return directive[index * 3];
    }

    /** The place of the first byte of the directive's comment. */
    public int directiveStart(int index) {
        return directive[index * 3 + 1];
    }

    /** The place after the last byte of the directive's comment. */
    public int directiveEnd(int index) {
        return directive[index * 3 + 2];
    }

    void begin(byte[] newText, int newFrom, int newTo) {
        text = newText;
        from = newFrom;
        to = newTo;
        count = 0;
        depth = 0;
        maxDepth = 0;
        semicolons = 0;
        malformed = false;
        unterminated = false;
        directives = 0;
    }

    void finish() {
        add(TokenKind.END, to, to);
        count--;
    }

    void add(TokenKind newKind, int newStart, int newEnd) {
        add(newKind, newStart, newEnd, 0);
    }

    void add(TokenKind newKind, int newStart, int newEnd, int newKeyword) {
        int i = count;
        if (i == kind.length) {
            grow();
        }
        start[i] = newStart;
        end[i] = newEnd;
        kind[i] = (byte) newKind.ordinal();
        keyword[i] = (short) newKeyword;
        count = i + 1;
    }

    void addJunk(int newStart, int newEnd) {
        malformed = true;
        add(TokenKind.JUNK, newStart, newEnd);
    }

    void addUnterminated(int newStart, int newEnd) {
        unterminated = true;
        addJunk(newStart, newEnd);
    }

    void addSemicolon(int place) {
        semicolons++;
        add(TokenKind.SEMICOLON, place, place + 1);
    }

    /** Whether no semicolon stands before another token, so that there is one statement at most. */
    boolean isOneStatement() {
        return semicolons == 0 || (semicolons == 1 && depth == 0 && is(count - 1, TokenKind.SEMICOLON));
    }

    void open() {
        if (++depth > maxDepth) {
            maxDepth = depth;
        }
    }

    void close() {
        depth--;
    }

    void addDirective(int commentStart, int commentEnd) {
        int at = directives++ * 3;
        if (at == directive.length) {
            directive = Arrays.copyOf(directive, at * 2);
        }
        directive[at] = count;
        directive[at + 1] = commentStart;
        directive[at + 2] = commentEnd;
    }

    /** Makes JUNK of the last token. */
    void spoilLast() {
        malformed = true;
        kind[count - 1] = (byte) TokenKind.JUNK.ordinal();
    }

    /** Makes all tokens after {@code token} part of it. */
    void mergeInto(int token, int newEnd) {
        end[token] = newEnd;
        count = token + 1;
    }

    private void grow() {
        int size = kind.length * 2;
        start = Arrays.copyOf(start, size);
        end = Arrays.copyOf(end, size);
        kind = Arrays.copyOf(kind, size);
        keyword = Arrays.copyOf(keyword, size);
    }
}
