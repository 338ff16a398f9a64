package dev.trunkline.conf.load;

import java.util.List;

/** Every rule between keys, in the order of the file's sections. */
final class Rules {

    private static final List<Rule> ALL = List.of(
            TlsRules::check,
            AuthRules::check,
            GeneralRules::instanceId,
            GeneralRules::namespaceIsOne,
            GeneralRules::portsDiffer,
            GeneralRules::poolSizes,
            GeneralRules::roundRobinNeedsTwoPhaseCommit,
            GeneralRules::autoNeedsTwoPhaseCommit,
            GeneralRules::unlistedTablesShard,
            DatabaseRules::atLeastOne,
            DatabaseRules::shardsWithoutHoles,
            DatabaseRules::onePrimaryPerShard,
            DatabaseRules::everyServerOnce,
            DatabaseRules::onePoolerMode,
            UserRules::knownDatabase,
            UserRules::eachOnce,
            PasswordRules::check,
            UserRules::poolSize,
            ShardedTableRules::knownDatabase,
            ShardedTableRules::eachOnce,
            ShardedTableRules::oneKeyPerTable,
            ShardedTableRules::lookupAndQueryTogether,
            ShardedTableRules::lookupIsOmnisharded,
            ShardedTableRules::queryIsOneSelect,
            ShardedTableRules::resultNeedsLookup,
            MappingRules::check,
            OmnishardedRules::knownDatabase,
            OmnishardedRules::eachTableOnce,
            AdminRules::nameIsFree);

    private Rules() {}

    static void check(Draft draft, Faults faults) {
        ALL.forEach(rule -> rule.check(draft, faults));
    }
}
