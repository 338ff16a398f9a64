package dev.trunkline.conf.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.conf.AuthType;
import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.Database;
import dev.trunkline.conf.General;
import dev.trunkline.conf.KeyDataType;
import dev.trunkline.conf.LookupMiss;
import dev.trunkline.conf.PoolerMode;
import dev.trunkline.conf.Role;
import dev.trunkline.conf.Secret;
import dev.trunkline.conf.ShardMapping;
import dev.trunkline.conf.ShardedTable;
import dev.trunkline.conf.SplitInserts;
import dev.trunkline.conf.UnlistedTables;
import dev.trunkline.conf.User;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A valid file becomes records in which every default is filled in. */
class GoodConfigurationTest {

    @Test
    void fillsInTheDefaultsOfGeneral() {
        General general = Configurations.parse("{}").general();

        assertThat(general.instanceId()).isNull();
        assertThat(general.host()).isEqualTo("0.0.0.0");
        assertThat(general.port()).isEqualTo(6432);
        assertThat(general.poolerMode()).isEqualTo(PoolerMode.TRANSACTION);
        assertThat(general.maxMessageSize()).isEqualTo(256 * 1024 * 1024);
        assertThat(general.authType()).isEqualTo(AuthType.SCRAM);
        assertThat(general.checkoutTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(general.serverLifetime()).isEqualTo(Duration.ofDays(1));
        assertThat(general.clientIdleTimeout()).isZero();
        assertThat(general.unlistedTables()).isEqualTo(UnlistedTables.ERROR);
        assertThat(general.lazyTransactions()).isTrue();
        assertThat(general.openmetricsPort()).isNull();
        assertThat(general.lookupMiss()).isEqualTo(LookupMiss.PROBE);
    }

    @Test
    void fillsInTheDefaultsOfAServerAndAUser() {
        Configuration configuration = Configurations.parse("{'databases': [{'name': 'prod', 'host': 'a'}]}");

        assertThat(configuration.databases())
                .containsExactly(new Database("prod", "a", 5432, "prod", 0, Role.PRIMARY, PoolerMode.TRANSACTION));
        assertThat(configuration.users())
                .containsExactly(new User(
                        "app",
                        "prod",
                        List.of(new Secret("secret")),
                        "app",
                        List.of(new Secret("secret")),
                        10,
                        PoolerMode.TRANSACTION));
    }

    @Test
    void readsEverySettingThatIsGiven() {
        Configuration configuration = Configurations.parse("""
                {
                  'general': {
                    'port': 0, 'workers': 2, 'idle_timeout': 0, 'lookup_miss': 'reload', 'unlisted_tables': 1,
                    'instance_id': 'proxy-1', 'cross_shard_disabled': true
                  },
                  'rewrite': { 'split_inserts': 'error' },
                  'admin': { 'name': 'pool' }
                }
                """);

        assertThat(configuration.general().port()).isZero();
        assertThat(configuration.general().workers()).isEqualTo(2);
        assertThat(configuration.general().idleTimeout()).isZero();
        assertThat(configuration.general().lookupMiss()).isEqualTo(LookupMiss.RELOAD);
        assertThat(configuration.general().unlistedTables()).isEqualTo(UnlistedTables.onShard(1));
        assertThat(configuration.general().instanceId()).isEqualTo("proxy-1");
        assertThat(configuration.general().crossShardDisabled()).isTrue();
        assertThat(configuration.rewrite().splitInserts()).isEqualTo(SplitInserts.ERROR);
        assertThat(configuration.admin().name()).isEqualTo("pool");
        assertThat(configuration.admin().user()).isEqualTo("admin");
    }

    @Test
    void takesNullForOffWhereThatIsPossible() {
        General general = Configurations.parse(
                        "{'general': {'idle_timeout': null, 'healthcheck_port': null, 'instance_id': null}}")
                .general();

        assertThat(general.idleTimeout()).isZero();
        assertThat(general.healthcheckPort()).isNull();
    }

    @Test
    void aUserTakesOverTheModeOfItsDatabaseAndADatabaseThatOfGeneral() {
        Configuration configuration = Configurations.parse("""
                {
                  'general': { 'pooler_mode': 'session', 'default_pool_size': 7 },
                  'databases': [
                    { 'name': 'prod', 'host': 'a', 'pooler_mode': 'transaction' },
                    { 'name': 'dev', 'host': 'b' }
                  ],
                  'users': [
                    { 'name': 'app', 'database': 'prod', 'password': 'x' },
                    { 'name': 'app', 'database': 'dev', 'password': 'x' },
                    { 'name': 'own', 'database': 'dev', 'password': 'x', 'pooler_mode': 'transaction', 'pool_size': 2 }
                  ]
                }
                """);

        assertThat(configuration.users())
                .extracting(User::poolerMode)
                .containsExactly(PoolerMode.TRANSACTION, PoolerMode.SESSION, PoolerMode.TRANSACTION);
        assertThat(configuration.users()).extracting(User::poolSize).containsExactly(7, 7, 2);
        assertThat(configuration.databases("dev").get(0).poolerMode()).isEqualTo(PoolerMode.SESSION);
    }

    @Test
    void neverUsesAStoredVerifierAsTheServersPassword() {
        String verifier = "SCRAM-SHA-256$4096:c2FsdHNhbHRzYWx0c2FsdA==$" + "A".repeat(43) + "=:" + "B".repeat(43) + "=";
        Configuration configuration = Configurations.parse(
                "{'users': [{'name': 'app', 'database': 'prod', 'password': '" + verifier + "'}]}");

        assertThat(configuration.users().get(0).password()).containsExactly(new Secret(verifier));
        assertThat(configuration.users().get(0).serverPassword()).isEmpty();
    }

    @Test
    void triesEveryPasswordOfTheUserOnTheServers() {
        Configuration configuration =
                Configurations.parse("{'users': [{'name': 'app', 'database': 'prod', 'password': ['old', 'new']}]}");

        assertThat(configuration.users().get(0).serverPassword()).containsExactly(new Secret("old"), new Secret("new"));
    }

    @Test
    void trustNeedsNoPassword() {
        Configuration configuration = Configurations.parse(
                "{'general': {'auth_type': 'trust'}, 'users': [{'name': 'app', 'database': 'prod'}]}");

        assertThat(configuration.users().get(0).password()).isEmpty();
        assertThat(configuration.users().get(0).serverPassword()).isEmpty();
    }

    @Test
    void readsShardedTables() {
        Configuration configuration = Configurations.parse("""
                {
                  'omnisharded_tables': [{ 'database': 'prod', 'tables': ['tenants', 'countries'], 'sticky': true }],
                  'sharded_tables': [
                    {
                      'database': 'prod', 'column': 'tenant_id', 'data_type': 'varchar',
                      'lookup': 'tenants', 'query': 'SELECT id, parent FROM tenants ; '
                    },
                    {
                      'database': 'prod', 'schema': 'public', 'name': 'events', 'column': 'id', 'data_type': 'uuid',
                      'mapping': [
                        { 'values': ['{A0EEBC99-9C0B4EF8-BB6D6BB9-BD380A11}'], 'shard': 1 },
                        { 'end': '80000000000000000000000000000000', 'shard': 0 },
                        { 'shard': 1 }
                      ]
                    }
                  ]
                }
                """);

        assertThat(configuration.omnishardedTables("prod").get(0).tables()).containsExactly("tenants", "countries");
        assertThat(configuration.omnishardedTables("prod").get(0).sticky()).isTrue();
        ShardedTable translated = configuration.shardedTables("prod").get(0);
        assertThat(translated.dataType()).isEqualTo(KeyDataType.VARCHAR);
        assertThat(translated.query()).isEqualTo("SELECT id, parent FROM tenants");
        assertThat(configuration.shardedTables("prod").get(1).mapping())
                .containsExactly(
                        new ShardMapping(List.of("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"), null, null, 1),
                        new ShardMapping(List.of(), null, "80000000-0000-0000-0000-000000000000", 0),
                        new ShardMapping(List.of(), null, null, 1));
    }

    @Test
    void aListedValueMayLieInARangeAndRangesMayTouch() {
        Configuration configuration = Configurations.parse("""
                {
                  'sharded_tables': [
                    {
                      'database': 'prod', 'column': 'id',
                      'mapping': [
                        { 'start': 10, 'end': 20, 'shard': 0 },
                        { 'start': 20, 'shard': 1 },
                        { 'values': [15], 'shard': 1 },
                        { 'end': '-5', 'shard': 1 }
                      ]
                    }
                  ]
                }
                """);

        assertThat(configuration.shardedTables().get(0).mapping()).hasSize(4);
    }

    @Test
    void namelessRulesForTwoColumnsAndASchemaApartAreNoRepetition() {
        Configuration configuration = Configurations.parse("""
                {
                  'sharded_tables': [
                    { 'database': 'prod', 'column': 'tenant_id' },
                    { 'database': 'prod', 'column': 'customer_id' },
                    { 'database': 'prod', 'schema': 'a', 'name': 't', 'column': 'x' },
                    { 'database': 'prod', 'schema': 'b', 'name': 't', 'column': 'y' }
                  ]
                }
                """);

        assertThat(configuration.shardedTables("prod")).hasSize(4);
    }

    @Test
    void answersQuestionsPerDatabase() {
        Configuration configuration = Configurations.parse("""
                {
                  'databases': [
                    { 'name': 'prod', 'host': 'c', 'shard': 2 },
                    { 'name': 'dev', 'host': 'x' },
                    { 'name': 'prod', 'host': 'a', 'shard': 0 },
                    { 'name': 'prod', 'host': 'b', 'shard': 1 }
                  ]
                }
                """);

        assertThat(configuration.databaseNames()).containsExactly("prod", "dev");
        assertThat(configuration.shardCount("prod")).isEqualTo(3);
        assertThat(configuration.shardCount("dev")).isEqualTo(1);
        assertThat(configuration.shardCount("other")).isZero();
        assertThat(configuration.databases("prod")).extracting(Database::host).containsExactly("a", "b", "c");
        assertThat(configuration.users("dev")).isEmpty();
        assertThat(configuration.user("prod", "app")).isNotNull();
        assertThat(configuration.user("prod", "nobody")).isNull();
        assertThat(configuration.user("dev", "app")).isNull();
    }
}
