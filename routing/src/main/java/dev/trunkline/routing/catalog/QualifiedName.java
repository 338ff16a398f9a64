package dev.trunkline.routing.catalog;

/** Schema and name of a relation or function, exact (no folding left to do). */
public record QualifiedName(String schema, String name) {

    @Override
    public String toString() {
        return schema + "." + name;
    }
}
