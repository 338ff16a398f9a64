package dev.trunkline.routing.sql;

/**
 * Where a statement lies within another (EXPLAIN, PREPARE, DECLARE, COPY, CREATE TABLE AS, …), counted in tokens from
 * the outer statement's ends, so that it holds for every statement of the shape.
 *
 * @param offset tokens of the outer statement before it, at least 1
 * @param tail tokens of the outer statement after it
 */
public record InnerStatement(int offset, int tail) {

    /** The inner statement's first token. */
    public int firstToken(int outerFirst) {
        return outerFirst + offset;
    }

    /** The token after the inner statement's last. */
    public int endToken(int outerEnd) {
        return outerEnd - tail;
    }
}
