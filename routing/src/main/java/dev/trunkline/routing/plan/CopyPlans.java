package dev.trunkline.routing.plan;

import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.catalog.Column;
import dev.trunkline.routing.key.KeyColumn;
import dev.trunkline.routing.key.KeyDecoder;
import dev.trunkline.routing.shard.CopyTarget;
import dev.trunkline.routing.shard.ShardingRule;
import dev.trunkline.routing.sql.Command;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Plans of COPY into tables that are on several shards, and out of them. */
final class CopyPlans {

    private static final int NO_TYPMOD = -1;

    private CopyPlans() {}

    /** The columns that a COPY FROM fills: without a list all that are not generated; empty if nobody knows them. */
    static List<String> columns(Command.Copy copy, TableUse table) {
        if (!copy.columns().isEmpty() || table.relation() == null) {
            return copy.columns();
        }
        return table.relation().columns().stream()
                .filter(column -> !column.generated())
                .map(Column::name)
                .toList();
    }

    /** COPY into a sharded or an omnisharded table. */
    static RoutePlan from(TableUse table, List<String> columns, Environment environment) {
        if (table.fault() != null) {
            return refused(RoutingErrors.unusableRule(table.label(), table.fault()));
        }
        if (columns.isEmpty()) {
            return refused(RoutingErrors.notAnalysed("The columns of its table are not known: give a column list."));
        }
        return table.isOmnisharded() ? omnisharded(table, columns, environment) : sharded(table, columns, environment);
    }

    private static RoutePlan sharded(TableUse table, List<String> columns, Environment environment) {
        ShardingRule rule = table.shardingRule();
        Column key = table.key();
        int field = columns.indexOf(rule.column());
        if (field < 0 || key != null && key.generated()) {
            return refused(RoutingErrors.missingKey(table.label(), rule.column()));
        }
        KeyDecoder decoder = KeyDecoder.stored(keyColumn(table, environment));
        if (environment.database().rules.crossShardDisabled()) {
            return refused(RoutingErrors.crossShardDisabled(target(table, decoder)));
        }
        return new RoutePlan.Copy(new CopyTarget(
                table.schema(),
                table.name(),
                columns,
                field,
                rule,
                decoder,
                environment.database().rules.nullKey(),
                List.of(),
                environment.database().serverVersion,
                environment.database().rules.copy()));
    }

    private static KeyTarget target(TableUse table, KeyDecoder decoder) {
        ShardingRule rule = table.shardingRule();
        return new KeyTarget(table.label(), rule.column(), rule, decoder, true);
    }

    private static KeyColumn keyColumn(TableUse table, Environment environment) {
        Column column = table.key();
        ShardingRule rule = table.shardingRule();
        boolean prefixes = environment.database().integerPrefixes;
        return column == null
                ? new KeyColumn(rule.type(), 0, NO_TYPMOD, prefixes)
                : new KeyColumn(rule.type(), column.typeOid(), column.typmod(), prefixes);
    }

    private static RoutePlan omnisharded(TableUse table, List<String> columns, Environment environment) {
        List<Column> all = table.relation() == null
                ? List.of()
                : Objects.requireNonNull(table.relation()).columns();
        for (Column column : all) {
            if (column.volatileDefault() && !columns.contains(column.name())) {
                return refused(RoutingErrors.unequalWrite(
                        table.label(), "The default of column \"" + column.name() + "\" is computed on each shard."));
            }
        }
        List<Integer> dateTimes = IntStream.range(0, columns.size())
                .filter(field -> isDateTime(column(all, columns.get(field))))
                .boxed()
                .toList();
        return new RoutePlan.Copy(new CopyTarget(
                table.schema(),
                table.name(),
                columns,
                -1,
                null,
                null,
                environment.database().rules.nullKey(),
                dateTimes,
                environment.database().serverVersion,
                environment.database().rules.copy()));
    }

    private static @Nullable Column column(List<Column> all, String name) {
        return all.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static boolean isDateTime(@Nullable Column column) {
        return column == null || Inspection.isDateTime(column.typeOid());
    }

    /** COPY out of a sharded table: the rows of all shards. */
    static RoutePlan to(TableUse table, Environment environment) {
        if (table.fault() != null) {
            return refused(RoutingErrors.unusableRule(table.label(), table.fault()));
        }
        return environment.database().rules.crossShardDisabled()
                ? refused(RoutingErrors.crossShardDisabled(
                        target(table, KeyDecoder.stored(keyColumn(table, environment)))))
                : RoutePlan.Fixed.SPREAD;
    }

    private static RoutePlan refused(PgException refusal) {
        return new RoutePlan.Refused(refusal, false);
    }
}
