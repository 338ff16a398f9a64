package dev.trunkline.proxy.admin;

import dev.trunkline.proxy.engine.ServerNames;
import dev.trunkline.proxy.metrics.Observation;
import dev.trunkline.routing.PlanCache;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.List;

/** SHOW MEM, VERSION, STATE, PREPARED and QUERY_CACHE. */
final class ProcessTables {

    static final List<String> MEM = List.of("name", "used", "committed", "max");
    static final List<String> VERSION = List.of("version");
    static final List<String> STATE = List.of("key", "value");
    static final List<String> PREPARED = List.of("name", "statement", "rewrite", "used_by", "memory_used");
    static final List<String> QUERY_CACHE = List.of("query", "hits", "direct", "multi");

    /** Rows of the caches, at most: a cache may hold a hundred thousand. */
    static final int LIMIT = 1_000;

    private ProcessTables() {}

    static Table mem() {
        Table.Builder table = new Table.Builder(MEM);
        ManagementFactory.getMemoryPoolMXBeans().forEach(pool -> {
            MemoryUsage usage = pool.getUsage();
            table.row(pool.getName(), usage.getUsed(), usage.getCommitted(), usage.getMax());
        });
        return table.build();
    }

    static String versionText() {
        String version = ProcessTables.class.getPackage().getImplementationVersion();
        return "Trunkline " + (version == null ? "(development)" : version);
    }

    static Table version() {
        Table.Builder table = new Table.Builder(VERSION);
        table.row(versionText());
        return table.build();
    }

    static Table state(Observation seen) {
        Table.Builder table = new Table.Builder(STATE);
        boolean paused = seen.pools().stream().anyMatch(pool -> pool.isPaused());
        table.row("active", seen.isDraining() || paused ? "no" : "yes");
        table.row("paused", paused ? "yes" : "no");
        table.row("draining", seen.isDraining() ? "yes" : "no");
        return table.build();
    }

    static Table prepared(List<ServerNames.Named> statements) {
        Table.Builder table = new Table.Builder(PREPARED);
        statements.forEach(each -> table.row(each.name(), each.sql(), null, null, each.bytes()));
        return table.build();
    }

    static Table queryCache(List<PlanCache.PlanView> plans) {
        Table.Builder table = new Table.Builder(QUERY_CACHE);
        plans.forEach(plan -> table.row(plan.shape(), plan.uses(), null, null));
        return table.build();
    }
}
