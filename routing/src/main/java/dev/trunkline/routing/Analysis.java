package dev.trunkline.routing;

import dev.trunkline.routing.plan.RoutePlan;
import dev.trunkline.routing.sql.InnerStatement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is found out about a shape: what its statements are, and where they run.
 *
 * @param inner where the statement lies to whose constants the plan refers; null if it is the statement itself
 * @param hasCommand the engine acts on its particulars
 * @param callsSetConfig it calls set_config, or may do so in the text of a DO
 * @param oneShardOnly what the statement is, if its inner statement may run on one shard only; else null
 * @param impliedColumns the columns of an INSERT without a column list; else null
 */
record Analysis(
        Traits traits,
        RoutePlan plan,
        @Nullable InnerStatement inner,
        boolean hasCommand,
        boolean callsSetConfig,
        @Nullable String oneShardOnly,
        @Nullable List<String> impliedColumns) {}
