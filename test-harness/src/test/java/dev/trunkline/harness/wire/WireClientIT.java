package dev.trunkline.harness.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Shards(1)
class WireClientIT {

    private final PgShards shards;
    private WireClient client;

    WireClientIT(PgShards shards) {
        this.shards = shards;
    }

    @BeforeEach
    void login() {
        client = WireClient.login(shards.host(), shards.port(0), "app", shards.database());
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void readsSimpleAnswers() {
        client.query("SELECT 1 AS a, NULL AS b; SELECT 'x' AS c WHERE false")
                .expect("T a:23|b:25", "D 1|\\N", "C SELECT 1", "T", "C SELECT 0", "Z I");
        assertThat(client.parameter("server_encoding")).isEqualTo("UTF8");
    }

    @Test
    void pipelinesExtendedMessages() {
        client.parse("s", "SELECT $1::int4 + 1 AS n, $2::text AS t")
                .bind("p", "s", new byte[] {0, 0, 0, 41}, "é")
                .describeStatement("s")
                .describe("p")
                .execute("p")
                .closeStatement("s")
                .sync()
                .expect("1", "2", "t 23|25", "T", "T n:23|t:25", "D 42|é", "C SELECT 1", "3", "Z I");
        assertThat(client.extended("SELECT $1::text", new Object[] {null}).rows())
                .containsExactly(one(null));
    }

    @Test
    void showsTheErrorAndTheTransactionsState() {
        client.simple("BEGIN").ok();
        Answer answer = client.simple("SELECT * FROM nowhere");
        assertThat(answer.sqlState()).isEqualTo("42P01");
        assertThat(answer.status()).isEqualTo('E');
        client.query("ROLLBACK").expect("C ROLLBACK", "Z I");
        client.query("SELECT 1/0").expect("E 22012", "Z");
    }

    @Test
    void logsInByScram() {
        try (WireClient scram =
                WireClient.login(shards.host(), shards.port(0), "app_scram", shards.database(), "secret")) {
            assertThat(scram.simple("SELECT current_user").value()).isEqualTo("app_scram");
        }
        try (WireClient wrong = WireClient.connect(shards.host(), shards.port(0))) {
            Frame answer = wrong.authenticate(Map.of("user", "app_scram", "database", shards.database()), "nonsense");
            assertThat(Notation.fits(answer, "E 28P01")).isTrue();
            wrong.expectClosed();
        }
    }

    @Test
    void cancelsItsStatement() {
        client.query("SELECT pg_sleep(60)").push();
        // A CancelRequest that comes before its statement is lost, so wait until the statement runs.
        String running = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)' AND state = 'active'";
        while (!"1".equals(shards.queryOne(0, running + " AND pid = " + client.processId()))) {
            Thread.onSpinWait();
        }
        client.cancel();
        client.expect("T", "E 57014", "Z I");
    }

    @Test
    void copiesIn() {
        client.simple("CREATE TEMP TABLE c (n int, t text)").ok();
        client.query("COPY c FROM STDIN").expect("G 0|2");
        client.send(Frontend.copyData("1\ta\n2\t\\N\n"), Frontend.copyDone()).expect("C COPY 2", "Z I");
        client.query("COPY c TO STDOUT").expect("H 0|2", "d 1\ta\n", "d 2\t\\N\n", "c", "C COPY 2", "Z I");
    }

    @Test
    void failsWithAHexDumpOfTheExchange() {
        client.query("SELECT 1");
        assertThatThrownBy(() -> client.expect("T", "D 2"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("expected \"D 2\"")
                .hasMessageContaining("got \"D 1\"")
                .hasMessageContaining("51 00 00 00 0d 53 45 4c 45 43 54 20 31 00");
    }

    @Test
    void seesTheServerClose() {
        client.sendHex("7b 00000004").expect("E 08P01");
        client.expectClosed();
        try (WireClient other = WireClient.login(shards.host(), shards.port(0), "app", shards.database())) {
            other.terminate();
        }
    }

    @Test
    void readsTheAnswerToSslRequest() {
        try (WireClient plain = WireClient.connect(shards.host(), shards.port(0))) {
            assertThat(plain.sslRequest()).isEqualTo('N');
            plain.startup("app", shards.database(), "");
            assertThat(plain.simple("SELECT 1; SELECT 2").rows()).containsExactly(one("1"), one("2"));
        }
    }

    private static List<String> one(String value) {
        return Collections.singletonList(value);
    }
}
