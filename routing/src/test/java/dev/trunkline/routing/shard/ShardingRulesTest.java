package dev.trunkline.routing.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.load.ConfigurationLoader;
import dev.trunkline.routing.key.DecodedKey;
import dev.trunkline.routing.key.KeyColumn;
import dev.trunkline.routing.key.KeyDecoder;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.KeyType;
import dev.trunkline.routing.key.ShardingKey;
import org.junit.jupiter.api.Test;

class ShardingRulesTest {

    private static final String CONFIGURATION = """
            {
              "databases": [
                { "name": "prod", "host": "h", "shard": 0 }, { "name": "prod", "host": "h", "port": 5433, "shard": 1 },
                { "name": "other", "host": "h" }
              ],
              "users": [ { "name": "app", "database": "prod", "password": "x" },
                         { "name": "app", "database": "other", "password": "x" } ],
              "sharded_tables": [
                { "database": "prod", "name": "orders", "column": "tenant_id", "data_type": "varchar",
                  "lookup": "tenants", "query": "SELECT id, parent FROM tenants" },
                { "database": "prod", "schema": "s", "name": "users", "column": "tenant_id", "data_type": "varchar",
                  "lookup": "tenants", "query": "SELECT id, parent FROM tenants" },
                { "database": "prod", "column": "account_id" },
                { "database": "prod", "name": "events", "column": "id",
                  "mapping": [ { "values": [1, -2], "shard": 1 }, { "start": 100, "end": 200, "shard": 0 },
                               { "start": 300, "shard": 1 }, { "end": -50, "shard": 1 } ] }
              ],
              "omnisharded_tables": [ { "database": "prod", "tables": ["tenants"] },
                                      { "database": "prod", "tables": ["plans"], "sticky": true } ]
            }
            """;

    private final Configuration configuration = ConfigurationLoader.parse("test.json", CONFIGURATION, name -> null);
    private final ShardingRules rules = ShardingRules.of(configuration, "prod");

    @Test
    void readsTheRulesOfOneDatabase() {
        assertThat(rules.shardCount()).isEqualTo(2);
        assertThat(rules.named()).extracting(ShardingRule::table).containsExactly("orders", "users", "events");
        assertThat(rules.nameless()).extracting(ShardingRule::column).containsExactly("account_id");
        assertThat(rules.omnisharded()).containsExactlyInAnyOrder("tenants", "plans");
        assertThat(rules.sticky()).containsExactly("plans");
        assertThat(ShardingRules.of(configuration, "other").named()).isEmpty();
        assertThat(ShardingRules.of(configuration, "other").shardCount()).isEqualTo(1);
    }

    @Test
    void equalLookupsAreOne() {
        assertThat(rules.lookups()).hasSize(1);
        Lookup lookup = rules.lookups().get(0);
        assertThat(lookup.table()).isEqualTo("tenants");
        assertThat(lookup.type()).isEqualTo(KeyType.VARCHAR);
        assertThat(lookup.shardedTable()).isEqualTo("orders");
        assertThat(rules.named().get(0).lookup()).isSameAs(rules.named().get(1).lookup());
        assertThat(rules.named().get(0).isColocatedWith(rules.named().get(1))).isTrue();
        assertThat(rules.named().get(0).isColocatedWith(rules.nameless().get(0)))
                .isFalse();
    }

    @Test
    void listsComeBeforeRanges() {
        ShardingFunction events = rules.named().get(2).function();
        assertThat(shard(events, 1)).isEqualTo(1);
        assertThat(shard(events, -2)).isEqualTo(1);
        assertThat(shard(events, 99)).isEqualTo(ShardingFunction.UNMAPPED);
        assertThat(shard(events, 100)).isZero();
        assertThat(shard(events, 199)).isZero();
        assertThat(shard(events, 200)).isEqualTo(ShardingFunction.UNMAPPED);
        assertThat(shard(events, 300)).isEqualTo(1);
        assertThat(shard(events, Long.MAX_VALUE)).isEqualTo(1);
        assertThat(shard(events, -51)).isEqualTo(1);
        assertThat(shard(events, -50)).isEqualTo(ShardingFunction.UNMAPPED);
    }

    private static int shard(ShardingFunction function, long key) {
        return function.shard(ShardingKey.ofLong(key));
    }

    @Test
    void aLookupMayNameTheShardItself() {
        ShardingRule rule = rules.named().get(0);
        ShardingRule naming =
                new ShardingRule(null, "t", "c", KeyType.VARCHAR, rule.lookup(), true, rule.function(), 2);
        for (String wrong : new String[] {"2", "-1", "x", "1.0", "", "99999999999"}) {
            assertThatThrownBy(() -> shard(naming, wrong)).hasMessageContaining("shard that does not exist");
        }
        assertThat(shard(naming, "1")).isEqualTo(1);
    }

    private static int shard(ShardingRule rule, String translated) {
        DecodedKey key = new DecodedKey();
        KeyDecoder decoder = KeyDecoder.compared(new KeyColumn(KeyType.VARCHAR, 25, -1, false));
        assertThat(decoder.string(new byte[] {'k'}, 0, 1, key)).isNotNull();
        return rule.shard(key, new KeyTranslation() {
            @Override
            public ShardingKey translate(long value) {
                return null;
            }

            @Override
            public ShardingKey translate(long mostSignificant, long leastSignificant) {
                return null;
            }

            @Override
            public ShardingKey translate(byte[] bytes, int offset, int length) {
                return ShardingKey.ofText(translated);
            }
        });
    }
}
