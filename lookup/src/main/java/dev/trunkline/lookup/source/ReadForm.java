package dev.trunkline.lookup.source;

import java.util.List;

/**
 * What must be known to read a lookup query on another connection than the loader's, so that it means the same there.
 *
 * @param searchPath the schemas in which the query's names are found, in order
 * @param probeable {@code k = ANY(array of keys)} finds exactly the rows that a load would give for these keys
 */
public record ReadForm(List<String> searchPath, boolean probeable) {

    public ReadForm {
        searchPath = List.copyOf(searchPath);
    }
}
