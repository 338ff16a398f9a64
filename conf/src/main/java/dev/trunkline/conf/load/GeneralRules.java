package dev.trunkline.conf.load;

import dev.trunkline.conf.General;
import dev.trunkline.conf.LookupSourceMode;
import dev.trunkline.conf.UnlistedTables;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules between the general settings. */
final class GeneralRules {

    /** It becomes part of the name of a prepared transaction, which PostgreSQL limits to 199 bytes. */
    private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z_:][A-Za-z0-9_:]*");

    private static final Pattern INSTANCE_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private GeneralRules() {}

    private static Optional<General> general(Draft draft) {
        return Optional.ofNullable(draft.general().record());
    }

    static void instanceId(Draft draft, Faults faults) {
        general(draft)
                .map(General::instanceId)
                .filter(id -> !INSTANCE_ID.matcher(id).matches())
                .ifPresent(id -> faults.add(
                        "general.instance_id",
                        "must be 1 to 64 letters, digits, points, hyphens and underscores, not \"" + id + "\""));
    }

    static void namespaceIsOne(Draft draft, Faults faults) {
        general(draft)
                .map(General::openmetricsNamespace)
                .filter(prefix -> !NAMESPACE.matcher(prefix).matches())
                .ifPresent(prefix -> faults.add(
                        "general.openmetrics_namespace",
                        "must be letters, digits, underscores and colons, and begin with no digit, not \"" + prefix
                                + "\""));
    }

    static void portsDiffer(Draft draft, Faults faults) {
        general(draft).ifPresent(general -> {
            Map<Integer, String> taken = new HashMap<>();
            claim(taken, general.port(), "port", faults);
            claim(taken, general.openmetricsPort(), "openmetrics_port", faults);
            claim(taken, general.healthcheckPort(), "healthcheck_port", faults);
        });
    }

    private static void claim(Map<Integer, String> taken, @Nullable Integer port, String key, Faults faults) {
        if (port == null || port == 0) {
            return;
        }
        String owner = taken.putIfAbsent(port, key);
        if (owner != null) {
            faults.add("general." + key, port + " is already the number of \"" + owner + "\"");
        }
    }

    static void poolSizes(Draft draft, Faults faults) {
        general(draft)
                .filter(general -> general.minPoolSize() > general.defaultPoolSize())
                .ifPresent(general -> faults.add(
                        "general.min_pool_size",
                        "must not be greater than \"default_pool_size\" (" + general.defaultPoolSize() + ")"));
    }

    static void roundRobinNeedsTwoPhaseCommit(Draft draft, Faults faults) {
        general(draft)
                .filter(general -> general.lookupSource() == LookupSourceMode.ROUND_ROBIN && !general.twoPhaseCommit())
                .ifPresent(
                        general -> faults.add("general.lookup_source", "\"round_robin\" needs \"two_phase_commit\""));
    }

    static void autoNeedsTwoPhaseCommit(Draft draft, Faults faults) {
        general(draft)
                .filter(general -> general.twoPhaseCommitAuto() && !general.twoPhaseCommit())
                .ifPresent(general -> faults.add("general.two_phase_commit_auto", "needs \"two_phase_commit\""));
    }

    static void unlistedTablesShard(Draft draft, Faults faults) {
        general(draft)
                .map(General::unlistedTables)
                .filter(unlisted -> unlisted.mode() == UnlistedTables.Mode.SHARD && draft.hasAllServers())
                .ifPresent(unlisted -> draft.databaseNames().stream()
                        .filter(database ->
                                draft.shardCount(database) > 1 && unlisted.shard() >= draft.shardCount(database))
                        .forEach(database -> faults.add(
                                "general.unlisted_tables",
                                "shard " + unlisted.shard() + " does not exist in database \"" + database + "\"")));
    }
}
