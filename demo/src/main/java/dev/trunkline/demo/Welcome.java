package dev.trunkline.demo;

import dev.trunkline.harness.pg.PgShards;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the demo prints once it is ready. */
final class Welcome {

    static final String FAMILY_ORDERS =
            "SELECT tenant_id, id, item FROM orders WHERE tenant_id IN ('acme', 'acme-berlin') ORDER BY tenant_id, id;";
    static final String UNKNOWN_TENANT = "SELECT * FROM orders WHERE tenant_id = 'umbrella';";
    static final String NEW_TENANT = "INSERT INTO tenants VALUES ('acme-paris', 'acme', 'Acme Paris');";
    static final String ITS_ORDER = "INSERT INTO orders VALUES ('acme-paris', 1, NULL, 'parachute', 4900);";

    private Welcome() {}

    static String text(int port, PgShards shards) {
        return """

                Ready. Paste into another terminal:

                    psql "host=127.0.0.1 port=%d user=app dbname=demo"

                Worth trying:

                    -- a child tenant lives on its parent's shard: both are read there, at once
                    %s

                    -- a tenant that nobody knows is an error that names it, not an empty answer
                    %s

                    -- a new tenant is known to every client as soon as it is inserted
                    %s
                    %s

                The shards themselves, past the proxy (database demo, user app): %s
                Ctrl-C ends the demo.
                """.formatted(port, FAMILY_ORDERS, UNKNOWN_TENANT, NEW_TENANT, ITS_ORDER, addresses(shards));
    }

    private static String addresses(PgShards shards) {
        return IntStream.range(0, shards.count())
                .mapToObj(shard -> shards.host() + ":" + shards.port(shard))
                .collect(Collectors.joining(", "));
    }
}
