package dev.trunkline.routing.plan;

import dev.trunkline.routing.key.Parameters;
import dev.trunkline.routing.sql.Constants;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A write to omnisharded tables: on all shards, if its values are the same everywhere. */
public final class EqualPlan implements RoutePlan {

    /** Words that the input functions of dates and times take for the time at which they run. */
    private static final Pattern MOVING =
            Pattern.compile("\\b(now|today|tomorrow|yesterday)\\b", Pattern.CASE_INSENSITIVE);

    /** No date or time is spelled with more characters. */
    private static final int MAX_LENGTH = 128;

    private final String table;
    private final List<KeyRef> mustBeGiven;
    private final List<KeySet.Rows> mustBeFixed;
    private final @Nullable Once defaults;
    private final int[] slots;
    private final boolean needsParameters;

    /**
     * The plan.
     *
     * @param defaults how a DEFAULT among those that must be given is computed for all shards; null if it cannot be
     */
    EqualPlan(
            String table,
            List<KeyRef> mustBeGiven,
            List<KeySet.Rows> mustBeFixed,
            @Nullable Once defaults,
            Numbering numbering) {
        this.table = table;
        this.mustBeGiven = mustBeGiven;
        this.mustBeFixed = mustBeFixed;
        this.defaults = defaults;
        this.slots = numbering.slots();
        this.needsParameters = numbering.parameters();
    }

    @Override
    public int[] slots() {
        return slots;
    }

    @Override
    public boolean needsParameters() {
        return needsParameters;
    }

    /** How what stands as DEFAULT is computed for all shards; null if there is none of it, or if it cannot be. */
    public @Nullable Once computed(Values values) {
        return defaults != null && mustBeGiven.stream().anyMatch(ref -> isDefault(values.constants(), ref))
                ? defaults
                : null;
    }

    private static boolean isDefault(Constants constants, KeyRef ref) {
        int constant = ((KeyRef.Constant) ref).slot();
        for (int i = 0; i < constants.size(constant); i++) {
            if (constants.kind(constant, i) == Constants.Kind.DEFAULT) {
                return true;
            }
        }
        return false;
    }

    /**
     * Checks the values.
     *
     * @throws dev.trunkline.protocol.error.PgException 0A000 if one of them may differ from shard to shard
     */
    public void check(Values values) {
        for (KeyRef ref : mustBeGiven) {
            if (isDefault(values.constants(), ref)) {
                throw RoutingErrors.unequalWrite(table, "A default is computed on each shard.");
            }
        }
        for (KeySet.Rows rows : mustBeFixed) {
            checkFixed(values, rows, rows.rows().get(0));
        }
    }

    private void checkFixed(Values values, KeySet.Rows rows, KeyRef ref) {
        if (ref instanceof KeyRef.Constant constant) {
            checkConstant(values.constants(), constant.slot());
        } else if (ref instanceof KeyRef.Parameter parameter) {
            int count = rows.list() < 0 ? 1 : values.constants().rows(rows.list());
            for (int row = 0; row < count; row++) {
                checkParameter(values.parameters(), parameter.number() + row * rows.stride());
            }
        }
    }

    private void checkConstant(Constants constants, int constant) {
        for (int i = 0; i < constants.size(constant); i++) {
            if (constants.kind(constant, i) == Constants.Kind.STRING) {
                checkFixed(new String(
                        constants.text(constant, i),
                        constants.offset(constant, i),
                        constants.length(constant, i),
                        StandardCharsets.UTF_8));
            }
        }
    }

    private void checkParameter(@Nullable Parameters parameters, int number) {
        if (parameters == null || number > parameters.count()) {
            throw RoutingErrors.noParameter(number);
        }
        String text = parameters.inText(number);
        if (text != null) {
            checkFixed(text);
        }
    }

    /** Whether a date or time that is written so depends on when and where it is read. */
    public static boolean isMoving(String text) {
        return text.length() < MAX_LENGTH && MOVING.matcher(text).find();
    }

    private void checkFixed(String text) {
        if (isMoving(text)) {
            throw RoutingErrors.unequalWrite(table, "A date or time is the word \"" + text.strip() + "\".");
        }
    }
}
