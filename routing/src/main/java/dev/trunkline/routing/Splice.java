package dev.trunkline.routing;

/**
 * Text to be put into a statement when it is sent.
 *
 * @param position where it goes in {@link Statement#text()}
 * @param text what goes there
 */
public record Splice(int position, String text) {}
