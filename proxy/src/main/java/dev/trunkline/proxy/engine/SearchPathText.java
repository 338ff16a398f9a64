package dev.trunkline.proxy.engine;

import java.util.stream.Collectors;

/** Turns a search_path as a parameter's value (one string) into the list that SET takes. */
public final class SearchPathText {

    private SearchPathText() {}

    /** The value as a list of quoted identifiers; the empty path is one empty name. */
    public static String toSql(String value) {
        String list = SearchPath.schemas(value, "$user").stream()
                .map(Transaction::identifier)
                .collect(Collectors.joining(", "));
        return list.isEmpty() ? "''" : list;
    }
}
