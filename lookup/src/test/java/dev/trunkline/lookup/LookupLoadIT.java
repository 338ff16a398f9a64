package dev.trunkline.lookup;

import static dev.trunkline.lookup.LookupFixture.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.protocol.error.PgException;
import dev.trunkline.routing.key.KeyType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Shards(1)
class LookupLoadIT {

    private final PgShards shards;

    LookupLoadIT(PgShards shards) {
        this.shards = shards;
    }

    @BeforeEach
    void tenants() {
        shards.execute(0, """
                DROP TABLE IF EXISTS tenants;
                CREATE TABLE tenants (id text PRIMARY KEY, parent_id text);
                INSERT INTO tenants VALUES ('root', NULL), ('child', 'root'), ('7', NULL), ('007', 'root');
                GRANT SELECT ON tenants TO app
                """);
    }

    @ParameterizedTest
    @EnumSource(LookupMiss.class)
    void findsRowsOfTheTable(LookupMiss miss) {
        try (LookupFixture fixture = LookupFixture.on(shards, options(miss), LookupFixture.tenants(KeyType.VARCHAR))) {
            assertThat(fixture.translate("child")).isEqualTo("root");
            assertThat(fixture.translate("root")).isEqualTo("root");
            assertThat(fixture.translate("7")).isEqualTo("7");
            assertThat(fixture.translate("007")).isEqualTo("root");
            shards.execute(0, "INSERT INTO tenants VALUES ('new', 'root')");
            assertThat(fixture.translate("new")).isEqualTo("root");
            assertThatThrownBy(() -> fixture.translate("nobody")).isInstanceOfSatisfying(PgException.class, e -> {
                assertThat(e.state().code()).isEqualTo("40001");
                assertThat(e.text()).startsWith("sharding key lookup failed:").doesNotContain("nobody");
                assertThat(e.detail()).contains("nobody");
            });
        }
    }
}
