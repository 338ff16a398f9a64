package dev.trunkline.proxy.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.pg.Ports;
import dev.trunkline.proxy.fixture.TestProxy;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each client's script finds what it would find on a direct connection. A client that is not installed is skipped, by
 * name and with the reason.
 */
@Tag("clients")
@Shards(3)
class RealClientsIT {

    private static final String PASSWORD = "secret";

    private final PgShards shards;

    RealClientsIT(PgShards shards) {
        this.shards = shards;
    }

    @BeforeAll
    static void load(PgShards shards) {
        DemoTables.load(shards);
    }

    @ParameterizedTest
    @EnumSource
    void psql(Place place) {
        run(ClientProgram.shell("psql"), place);
    }

    @ParameterizedTest
    @EnumSource
    void pgbench(Place place) {
        run(ClientProgram.shell("pgbench"), place);
    }

    /** Over several shards a dump would be one shard's. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SHARDED")
    void pgDump(Place place) {
        ClientProgram program = new ClientProgram(
                "pg_dump",
                List.of("bash", "psql", "pg_dump", "pg_restore"),
                List.of("bash", ClientProgram.tool("pg_dump.sh")));
        int server = Integer.parseInt(String.valueOf(shards.queryOne(0, "SHOW server_version_num"))) / 10_000;
        int client = program.majorVersion();
        String unfit = client < server ? "it is of version " + client + ", the servers are of " + server : null;
        run(program, place, unfit);
    }

    @ParameterizedTest
    @EnumSource
    void nodePostgres(Place place) {
        String modules = ClientProgram.tool("target/node/node_modules");
        run(
                new ClientProgram(
                        "node-postgres",
                        List.of("node", modules),
                        List.of("env", "NODE_PATH=" + modules, "node", ClientProgram.tool("node/check.js"))),
                place);
    }

    @ParameterizedTest
    @EnumSource
    void chromium(Place place) {
        String modules = ClientProgram.tool("target/node/node_modules");
        run(
                new ClientProgram(
                        "chromium",
                        List.of("node", "chromium", modules),
                        List.of("env", "NODE_PATH=" + modules, "node", ClientProgram.tool("node/check_status.js"))),
                place);
    }

    @ParameterizedTest
    @EnumSource
    void psycopg(Place place) {
        run(python("psycopg"), place);
    }

    @ParameterizedTest
    @EnumSource
    void asyncpg(Place place) {
        run(python("asyncpg"), place);
    }

    private static ClientProgram python(String name) {
        String python = ClientProgram.tool("target/python/bin/python");
        return new ClientProgram(
                name, List.of(python), List.of(python, ClientProgram.tool("python/check_" + name + ".py")));
    }

    @ParameterizedTest
    @EnumSource
    void pgx(Place place) {
        String program = ClientProgram.tool("target/pgx");
        run(new ClientProgram("pgx", List.of(program), List.of(program)), place);
    }

    private void run(ClientProgram program, Place place) {
        run(program, place, null);
    }

    private void run(ClientProgram program, Place place, @Nullable String unfit) {
        String missing = program.missing();
        String reason = missing == null ? unfit : missing;
        if (reason != null) {
            System.out.println("skipped: " + program.name() + ", because " + reason);
        }
        assumeTrue(reason == null, program.name() + ": " + reason);
        int statusPort = Ports.free();
        try (TestProxy proxy = start(place, statusPort)) {
            ClientProgram.Ended ended = program.run(
                    Map.of(
                            "PGHOST",
                            proxy.host(),
                            "PGPORT",
                            String.valueOf(proxy.port()),
                            "PGUSER",
                            PgShards.APP,
                            "PGPASSWORD",
                            PASSWORD,
                            "PGDATABASE",
                            TestProxy.DATABASE,
                            "STATUS_PAGE",
                            "http://" + proxy.host() + ":" + statusPort + "/status"),
                    place.argument());
            System.out.println(program.name() + ", " + place.argument() + ": " + summary(ended));
            assertThat(ended.status()).as(ended.output()).isZero();
        }
    }

    private static String summary(ClientProgram.Ended ended) {
        List<String> lines = ended.output().lines().toList();
        long passed = lines.stream().filter(line -> line.startsWith("ok: ")).count();
        return (lines.isEmpty() ? "" : lines.get(0)) + ", " + passed + " checks passed";
    }

    private TestProxy start(Place place, int statusPort) {
        TestProxy.Setup setup = place.shards() == 1
                ? TestProxy.over(shards.port(0), shards.database())
                : TestProxy.over(shards)
                        .shardedTable(DemoTables.rule(TestProxy.DATABASE))
                        .omnishardedTables("tenants");
        return setup.general("auth_type", "scram")
                .general("healthcheck_port", statusPort)
                .user("password", PASSWORD)
                .user("pooler_mode", place.mode())
                .user("pool_size", 10)
                .start();
    }
}
