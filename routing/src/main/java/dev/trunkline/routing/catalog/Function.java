package dev.trunkline.routing.catalog;

/**
 * A function or procedure that does not come with PostgreSQL.
 *
 * @param name schema and name; overloads are folded into one entry with the worst properties of all
 * @param immutable every overload is IMMUTABLE
 * @param extension every overload belongs to an extension or is written in C: it does not read user tables
 */
public record Function(QualifiedName name, boolean immutable, boolean extension) {}
