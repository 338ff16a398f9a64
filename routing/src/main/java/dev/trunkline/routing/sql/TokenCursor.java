package dev.trunkline.routing.sql;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A place among the tokens of one statement, for reading it from left to right. */
final class TokenCursor {

    private final Tokens tokens;
    private final int first;
    private final int end;
    private int at;

    TokenCursor(Tokens tokens, int first, int end) {
        this.tokens = tokens;
        this.first = first;
        this.end = end;
        this.at = first;
    }

    Tokens tokens() {
        return tokens;
    }

    int first() {
        return first;
    }

    int end() {
        return end;
    }

    /** The token at this place. */
    int at() {
        return at;
    }

    void moveTo(int token) {
        at = token;
    }

    void skip() {
        at++;
    }

    boolean atEnd() {
        return at >= end;
    }

    boolean is(Keyword keyword) {
        return at < end && tokens.is(at, keyword);
    }

    boolean isNext(Keyword keyword) {
        return at + 1 < end && tokens.is(at + 1, keyword);
    }

    boolean is(TokenKind kind) {
        return at < end && tokens.is(at, kind);
    }

    boolean isWord(String lowerCaseWord) {
        return at < end && tokens.isWord(at, lowerCaseWord);
    }

    boolean isOperator(char operator) {
        return at < end && tokens.isOperator(at, operator);
    }

    boolean isString() {
        return at < end && tokens.kind(at).isString();
    }

    boolean isName() {
        return at < end && tokens.isName(at);
    }

    /** The key word at this place, NONE_OF_THEM for anything else. */
    Keyword keyword() {
        return at < end ? tokens.keyword(at) : Keyword.NONE_OF_THEM;
    }

    /** Steps over the key word if it is here. */
    boolean take(Keyword keyword) {
        boolean here = is(keyword);
        at += here ? 1 : 0;
        return here;
    }

    /** Steps over both key words if they are here. */
    boolean take(Keyword one, Keyword two) {
        boolean here = is(one) && isNext(two);
        at += here ? 2 : 0;
        return here;
    }

    /** Steps over one of the key words if it is here. */
    boolean takeEither(Keyword one, Keyword other) {
        return take(one) || take(other);
    }

    /** Steps over the key word if it is one of these. */
    void skipIf(Keyword one, Keyword... others) {
        if (!take(one)) {
            for (Keyword other : others) {
                if (take(other)) {
                    return;
                }
            }
        }
    }

    boolean take(TokenKind kind) {
        boolean here = is(kind);
        at += here ? 1 : 0;
        return here;
    }

    boolean takeOperator(char operator) {
        boolean here = isOperator(operator);
        at += here ? 1 : 0;
        return here;
    }

    /** Steps over one name as PostgreSQL admits it for a relation or a cursor; null if none is here. */
    @Nullable
    String takeName() {
        return keyword().category() == Keyword.Category.TYPE_OR_FUNCTION_NAME ? null : takeWord();
    }

    /** Steps over one name, which may be any key word that is not reserved; null if none is here. */
    @Nullable
    String takeWord() {
        if (!isName() || keyword().category() == Keyword.Category.RESERVED) {
            return null;
        }
        return tokens.name(at++);
    }

    /** Steps over a dotted name and returns it, without a database's name; null if none is here. */
    @Nullable
    ObjectName takeObjectName() {
        String name = takeName();
        if (name == null) {
            return null;
        }
        String schema = null;
        while (is(TokenKind.DOT) && at + 1 < end && tokens.isName(at + 1)) {
            schema = name;
            name = tokens.name(at + 1);
            at += 2;
        }
        return new ObjectName(schema, name);
    }

    /** Steps over a list of relation names, each with ONLY or a star; an unreadable one ends it. */
    List<ObjectName> takeRelations() {
        List<ObjectName> names = new ArrayList<>();
        do {
            boolean only = take(Keyword.ONLY);
            boolean parenthesis = only && take(TokenKind.LEFT_PARENTHESIS);
            ObjectName name = takeObjectName();
            if (name == null) {
                return names;
            }
            names.add(name);
            if (isOperator('*') || (parenthesis && is(TokenKind.RIGHT_PARENTHESIS))) {
                at++;
            }
            skipParentheses();
        } while (take(TokenKind.COMMA));
        return names;
    }

    /** Steps over a parenthesised piece if one begins here. */
    void skipParentheses() {
        if (is(TokenKind.LEFT_PARENTHESIS)) {
            skipToClose();
        }
    }

    /** Steps over a parenthesised piece if one begins here; to the end if it is not closed. */
    boolean takeParentheses() {
        boolean here = is(TokenKind.LEFT_PARENTHESIS);
        skipParentheses();
        return here;
    }

    private void skipToClose() {
        int depth = 0;
        do {
            if (tokens.is(at, TokenKind.LEFT_PARENTHESIS)) {
                depth++;
            } else if (tokens.is(at, TokenKind.RIGHT_PARENTHESIS)) {
                depth--;
            }
            at++;
        } while (depth > 0 && at < end);
    }

    /** Steps to the key word, outside parentheses, and over it; to the end and false if there is none. */
    boolean skipPast(Keyword keyword) {
        while (at < end) {
            if (take(keyword)) {
                return true;
            }
            if (!takeParentheses()) {
                at++;
            }
        }
        return false;
    }

    /** Whether the key word occurs from here on, outside parentheses. */
    boolean holds(Keyword keyword) {
        int here = at;
        boolean found = skipPast(keyword);
        at = here;
        return found;
    }

    /** The decoded string constant at this place, stepping over it; null if none is here. */
    @Nullable
    String takeString() {
        if (!isString()) {
            return null;
        }
        return Literals.string(tokens, at++);
    }

    /** The tokens [from, to) with one space between them, none before a comma or around a dot. */
    String text(int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++) {
            boolean tight = tokens.is(i, TokenKind.COMMA)
                    || tokens.is(i, TokenKind.DOT)
                    || (i > from && tokens.is(i - 1, TokenKind.DOT));
            if (i > from && !tight) {
                text.append(' ');
            }
            text.append(tokens.raw(i));
        }
        return text.toString();
    }
}
