package dev.trunkline.routing;

import dev.trunkline.routing.sql.TokenKind;
import dev.trunkline.routing.sql.Tokens;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts the text of a part together from pieces of a statement. PostgreSQL gives a type only to parameters that are used,
 * so those that are get numbers of their own.
 */
final class PartText {

    private final Tokens tokens;
    private final boolean renumber;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<Route.Piece> pieces = new ArrayList<>();
    private final Map<Integer, Integer> numbers = new HashMap<>();
    private final List<Integer> parameters = new ArrayList<>();

    /**
     * An empty part.
     *
     * @param tokens of the statement
     * @param renumber false where there are no parameters: what looks like one is PostgreSQL's to refuse
     */
    PartText(Tokens tokens, boolean renumber) {
        this.tokens = tokens;
        this.renumber = renumber;
    }

    /** Adds what is not the client's. */
    void add(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Adds a range of the client's text.
     *
     * @param firstToken a token not behind the first of the range
     */
    void copy(int from, int to, int firstToken) {
        int at = from;
        for (int token = firstToken; renumber && token < tokens.count() && tokens.start(token) < to; token++) {
            if (tokens.start(token) >= from && tokens.is(token, TokenKind.PARAMETER)) {
                // The sign is the client's, and stands for the whole in a position.
                copy(at, tokens.start(token) + 1);
                add(Integer.toString(numberOf(tokens.parameter(token))));
                at = tokens.end(token);
            }
        }
        copy(at, to);
    }

    private int numberOf(int parameter) {
        return numbers.computeIfAbsent(parameter, this::nextNumber);
    }

    private int nextNumber(int parameter) {
        parameters.add(parameter);
        return parameters.size();
    }

    /** Adds a parameter that the client's text does not have, under a number of its own each time. */
    void parameter(int parameter) {
        add("$" + nextNumber(parameter));
    }

    int parameterCount() {
        return parameters.size();
    }

    private void copy(int from, int to) {
        if (to > from) {
            pieces.add(new Route.Piece(out.size(), from, to - from));
            out.write(tokens.text(), from, to - from);
        }
    }

    Route.Part part(int shard) {
        return new Route.Part(shard, out.toByteArray(), List.copyOf(parameters), List.copyOf(pieces));
    }
}
