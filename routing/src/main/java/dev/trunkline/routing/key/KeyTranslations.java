package dev.trunkline.routing.key;

/** The lookup maps of one database, by the index that {@code ShardingRules} gave to each. */
public interface KeyTranslations {

    /**
     * The current snapshot of a map; one that is not loaded answers null for every key, which the router reports as
     * keys to be verified.
     *
     * @param lookup index of the lookup in the database's rules, from 0
     */
    KeyTranslation translation(int lookup);
}
