package dev.trunkline.routing.sql;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The canonical bytes of a {@link Shape} as people read them: constants are {@code ?}, an IN list is {@code (?, ...)}, a
 * VALUES list its first row. What the plan depends on, such as the number of LIMIT, stands as it is.
 */
public final class ShapeText {

    private static final Keyword[] KEYWORDS = Keyword.values();

    private final byte[] canonical;
    private final StringBuilder out = new StringBuilder();
    private int at;
    private int depth;
    private int rowsDepth = -1;
    private int rowParameters;

    private ShapeText(byte[] canonical) {
        this.canonical = canonical;
    }

    /** The text of {@link Shape#toByteArray()}. */
    public static String of(byte[] canonical) {
        ShapeText text = new ShapeText(canonical);
        while (text.at < canonical.length) {
            text.token();
        }
        return text.out.toString();
    }

    /** The text of the first statement of a Query or Parse; empty if there is none. */
    public static String of(byte[] sql, int start, int end) {
        Tokens tokens = new Tokens();
        Lexer.lex(sql, start, end - start, true, tokens);
        Statements statements = new Statements();
        statements.split(tokens);
        if (statements.count() == 0) {
            return "";
        }
        Shape shape = new Shape();
        shape.of(tokens, statements, 0);
        return of(shape.toByteArray());
    }

    private void token() {
        int sign = canonical[at++] & 0xff;
        if (sign >= ShapeWriter.SLOT && sign < ' ') {
            slot(SlotKind.at(sign - ShapeWriter.SLOT));
        } else if (sign >= ShapeWriter.KEYWORD && sign < ShapeWriter.SLOT) {
            int ordinal = (sign - ShapeWriter.KEYWORD << 8) + (canonical[at++] & 0xff);
            add(KEYWORDS[ordinal].name().toLowerCase(Locale.ROOT));
        } else if (sign < ' ') {
            control(sign);
        } else {
            at--;
            plain();
        }
    }

    private void control(int sign) {
        switch (sign) {
            case ShapeWriter.QUOTED_NAME -> {
                int length = canonical[at++] & 0xff;
                add('"' + text(length).replace("\"", "\"\"") + '"');
            }
            case ShapeWriter.VERBATIM -> {
                at++; // the kind of token
                add(text(number()));
            }
            case ShapeWriter.ROWS -> {
                rowsDepth = depth;
                rowParameters = 0;
            }
            case ShapeWriter.ROW_PARAMETER -> {
                rowParameters++;
                add("$");
            }
            case ShapeWriter.DIRECTIVE -> add("/* directive */");
            case ShapeWriter.DOT_DOT -> add("..");
            case ShapeWriter.TYPECAST -> add("::");
            case ShapeWriter.COLON_EQUALS -> add(":=");
            case ShapeWriter.EQUALS_GREATER -> add("=>");
            default -> {} // ends a word
        }
    }

    private void slot(SlotKind kind) {
        add(kind.isList() ? "(?, ...)" : "?");
    }

    /** A word or operator up to its end, or one sign. */
    private void plain() {
        int sign = canonical[at];
        if ("()[];:,.".indexOf(sign) >= 0) {
            at++;
            add(String.valueOf((char) sign));
            nest(sign);
            return;
        }
        int end = at;
        while (end < canonical.length
                && canonical[end] != ShapeWriter.END_OF_WORD
                && canonical[end] != ShapeWriter.END_OF_OPERATOR) {
            end++;
        }
        add(text(end - at));
    }

    /** Behind the only row of a VALUES list stand the numbers of its parameters. */
    private void nest(int sign) {
        if (sign == '(') {
            depth++;
        } else if (sign == ')' && --depth == rowsDepth) {
            rowsDepth = -1;
            at += rowParameters == 0 ? 0 : (rowParameters + 1) * Integer.BYTES;
        }
    }

    private int number() {
        int value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            value = value << 8 | canonical[at++] & 0xff;
        }
        return value;
    }

    private String text(int length) {
        String text = new String(canonical, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    private void add(String token) {
        boolean clings = out.length() == 0
                || "(.[".indexOf(out.charAt(out.length() - 1)) >= 0
                || token.length() == 1 && "),.;]".contains(token)
                || token.equals("::")
                || out.lastIndexOf("::") == out.length() - 2;
        if (!clings) {
            out.append(' ');
        }
        out.append(token);
    }
}
