package dev.trunkline.demo;

import dev.trunkline.harness.pg.PgShards;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Creates the demo's tables and puts its rows straight onto the shards where they belong. */
final class SampleData {

    /** Two roots with children and one without, spread over all three shards. */
    static final List<Tenant> TENANTS = List.of(
            new Tenant("acme", null, "Acme"),
            new Tenant("acme-berlin", "acme", "Acme Berlin"),
            new Tenant("acme-tokyo", "acme", "Acme Tokyo"),
            new Tenant("wayne", null, "Wayne"),
            new Tenant("wayne-labs", "wayne", "Wayne Labs"),
            new Tenant("initech", null, "Initech"));

    private static final List<String> ITEMS = List.of("anvil", "rocket skates", "giant magnet");

    private SampleData() {}

    /** Fills empty databases. */
    static void load(PgShards shards) {
        String schema = resource("schema.sql");
        for (int shard = 0; shard < shards.count(); shard++) {
            try (Connection connection = DriverManager.getConnection(shards.url(shard, PgShards.APP))) {
                run(connection, schema);
                load(connection, shard, shards.count());
            } catch (SQLException e) {
                throw new IllegalStateException("cannot load the sample rows: " + e.getMessage(), e);
            }
        }
    }

    private static void load(Connection connection, int shard, int shardCount) throws SQLException {
        for (Tenant tenant : TENANTS) {
            run(connection, "INSERT INTO tenants VALUES (?, ?, ?)", tenant.id(), tenant.parent(), tenant.name());
            if (tenant.shard(shardCount) == shard) {
                loadRows(connection, tenant.id());
            }
        }
    }

    private static void loadRows(Connection connection, String tenant) throws SQLException {
        long id = 1;
        run(connection, "INSERT INTO users VALUES (?, ?, ?)", tenant, id, "wile@" + tenant + ".example");
        for (String item : ITEMS) {
            run(connection, "INSERT INTO orders VALUES (?, ?, ?, ?, ?)", tenant, id, 1L, item, 1999 * id);
            id++;
        }
    }

    private static void run(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int index = 0; index < values.length; index++) {
                statement.setObject(index + 1, values[index]);
            }
            statement.execute();
        }
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(SampleData.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
