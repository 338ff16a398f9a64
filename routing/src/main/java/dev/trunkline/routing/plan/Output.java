package dev.trunkline.routing.plan;

/**
 * A column that a query yields.
 *
 * @param variable the column of a table that it is, or {@link Variables#NONE}
 * @param pushable a condition on it may as well be put on that column before the query is evaluated
 */
record Output(String name, int variable, boolean pushable) {}
