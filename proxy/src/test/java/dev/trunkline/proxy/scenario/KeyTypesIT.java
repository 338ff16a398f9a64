package dev.trunkline.proxy.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import java.util.List;
import java.util.UUID;

/**
 * lk-type-text-vs-number: the lookup table may write keys otherwise than the column does; both are taken as what the
 * rule says they are.
 */
class KeyTypesIT extends Scenario {

    private static final String SHORTS = "SELECT k, v FROM shorts";

    @Override
    void prepare(Deployment deployment) {
        // The guards read accounts, devices and tenants, which say the same in the columns' own types.
        deployment.shards().executeAll("""
                CREATE TABLE texts (k text, v text);
                INSERT INTO texts VALUES ('007', ' +12 '), ('8', '0012'),
                    ('A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', '{550e8400e29b41d4a716446655440000}');
                CREATE TABLE numbers (k int, v bigint);
                INSERT INTO numbers VALUES (7, 12), (8, 12);
                CREATE TABLE shorts (k varchar PRIMARY KEY, v varchar NOT NULL);
                INSERT INTO shorts VALUES ('abc', 'abc'), ('ab', 'ab'), ('ab ', 'ab ');
                CREATE TABLE short_names (short_id varchar(3) NOT NULL, n int);
                INSERT INTO accounts VALUES (7, 12), (8, 12);
                INSERT INTO devices
                VALUES ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '550e8400-e29b-41d4-a716-446655440000');
                INSERT INTO tenants VALUES ('7', '12'), ('8', '12'), ('12', NULL);
                """);
        deployment.guard().translated("short_names", "short_id", "varchar", SHORTS);
        deployment.rules(
                new JsonArray()
                        .add(Deployment.translated(
                                "account_id", "bigint", "texts", "SELECT k, v FROM texts WHERE length(k) < 10"))
                        .add(Deployment.translated(
                                "device_id", "uuid", "texts", "SELECT k, v FROM texts WHERE length(k) > 10"))
                        .add(Deployment.translated("tenant_id", "varchar", "numbers", "SELECT k, v FROM numbers"))
                        .add(Deployment.translated("short_id", "varchar", "shorts", SHORTS)),
                Deployment.omnisharded("texts", "numbers", "shorts"));
    }

    @EveryWay
    void numbersWrittenAsTextsInTheLookupTable(Way way) {
        Client client = client(way);
        for (Object key : List.of(7L, 7, (short) 7, 8L)) {
            client.run("INSERT INTO ledger VALUES ($1, 1)", key).ok();
        }
        assertThat(client.run("SELECT account_id FROM ledger WHERE account_id = $1", 7L)
                        .ok()
                        .rows())
                .hasSize(3);
        backdoor().execute("DELETE FROM ledger");
    }

    @EveryWay
    void uuidsInAnySpellingInTheLookupTable(Way way) {
        Client client = client(way);
        UUID device = UUID.fromString("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11");
        client.run("INSERT INTO readings VALUES ($1, 1)", device).ok();
        assertThat(client.run("SELECT celsius FROM readings WHERE device_id = $1", device)
                        .ok()
                        .value())
                .isEqualTo("1");
        backdoor().execute("DELETE FROM readings");
    }

    @EveryWay
    void textsWrittenAsNumbersInTheLookupTable(Way way) {
        Client client = client(way);
        client.run("INSERT INTO users VALUES ($1, 1, 'e')", "7").ok();
        client.run("INSERT INTO users VALUES ($1, 2, 'e')", "8").ok();
        assertThat(client.run("SELECT id FROM users WHERE tenant_id IN ($1, $2)", "7", "8")
                        .ok()
                        .rows())
                .hasSize(2);
        assertThat(client.run("SELECT id FROM users WHERE tenant_id = $1", "07").sqlState())
                .isEqualTo("40001");
        backdoor().execute("DELETE FROM users");
    }

    /** What the column cuts off when it stores a value is cut off before the value is looked up. */
    @EveryWay
    void blanksAtTheEndCountAsFarAsTheColumnKeepsThem(Way way) {
        Client client = client(way);
        client.run("INSERT INTO short_names VALUES ($1, 1)", "abc   ").ok();
        client.run("INSERT INTO short_names VALUES ($1, 2)", "ab").ok();
        client.run("INSERT INTO short_names VALUES ($1, 3)", "ab ").ok();
        assertThat(client.run("SELECT n FROM short_names WHERE short_id = $1", "abc")
                        .ok()
                        .value())
                .isEqualTo("1");
        assertThat(client.run("SELECT n FROM short_names WHERE short_id = $1", "ab ")
                        .ok()
                        .value())
                .isEqualTo("3");
        assertThat(client.run("SELECT n FROM short_names WHERE short_id = $1", "ab")
                        .ok()
                        .value())
                .isEqualTo("2");
        backdoor().execute("DELETE FROM short_names");
    }
}
