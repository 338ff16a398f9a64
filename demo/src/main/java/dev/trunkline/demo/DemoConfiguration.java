package dev.trunkline.demo;

import dev.trunkline.harness.pg.PgShards;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The configuration that the demo's proxy runs with, as one would write it in a file. */
final class DemoConfiguration {

    static final String LOOKUP_QUERY = "SELECT id, COALESCE(parent_tenant_id, id) FROM tenants";

    private DemoConfiguration() {}

    /** JSON text; the proxy listens on 127.0.0.1 only, because everybody may log in. */
    static String text(int port, PgShards shards) {
        return """
                {
                  "general": { "host": "127.0.0.1", "port": %d, "auth_type": "trust" },
                  "databases": [
                %s
                  ],
                  "users": [ { "name": "app", "database": "demo" } ],
                  "sharded_tables": [
                    { "database": "demo", "column": "tenant_id", "data_type": "varchar",
                      "lookup": "tenants", "query": "%s" }
                  ],
                  "omnisharded_tables": [ { "database": "demo", "tables": ["tenants"] } ]
                }
                """.formatted(port, databases(shards), LOOKUP_QUERY);
    }

    private static String databases(PgShards shards) {
        return IntStream.range(0, shards.count())
                .mapToObj(shard -> "    { \"name\": \"demo\", \"host\": \"%s\", \"port\": %d, \"shard\": %d }"
                        .formatted(shards.host(), shards.port(shard), shard))
                .collect(Collectors.joining(",\n"));
    }
}
