package dev.trunkline.lookup;

import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.ShardingKey;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one verification that is not the published state: it was read after the statement began, so the
 * statement may use it, but nobody else may.
 *
 * <p>It stays current for as long as the published state is the one that was there when the answer was delivered: what
 * changed before that is concurrent with the statement, what changes after it is not.
 */
final class VerifiedTranslation implements KeyTranslation {

    private final KeyTranslation answer;
    private final MapState basis;

    private VerifiedTranslation(KeyTranslation answer, MapState basis) {
        this.answer = answer;
        this.basis = basis;
    }

    /** The answer itself if it is the published state still, else the answer for this statement alone. */
    static KeyTranslation of(KeyTranslation answer, MapState current) {
        boolean published = answer instanceof MapState state && current.continues(state);
        return published ? answer : new VerifiedTranslation(answer, current);
    }

    MapState basis() {
        return basis;
    }

    @Override
    public @Nullable ShardingKey translate(long value) {
        return answer.translate(value);
    }

    @Override
    public @Nullable ShardingKey translate(long mostSignificant, long leastSignificant) {
        return answer.translate(mostSignificant, leastSignificant);
    }

    @Override
    public @Nullable ShardingKey translate(byte[] bytes, int offset, int length) {
        return answer.translate(bytes, offset, length);
    }
}
