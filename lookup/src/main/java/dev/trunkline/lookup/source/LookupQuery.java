package dev.trunkline.lookup.source;

import dev.trunkline.routing.key.KeyType;

/**
 * A lookup query as a source needs it.
 *
 * @param text one SELECT of two columns without a semicolon at its end
 * @param type how both columns are parsed
 * @param maxBytes a map that would need more fails to load
 */
public record LookupQuery(String text, KeyType type, long maxBytes) {}
