package dev.trunkline.proxy.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.TestProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A reload changes what it is told, and disturbs nobody. */
@Shards(1)
class ReloadIT {

    private static final int CLIENTS = 20;
    private static final int RELOADS = "full".equals(System.getProperty("scale")) ? 1_000 : 60;

    private final PgShards shards;

    ReloadIT(PgShards shards) {
        this.shards = shards;
    }

    @Test
    @Tag("pl-reload-under-load")
    @DisplayName("pl-reload-under-load")
    void disturbsNobodyUnderLoad() {
        // Several loops would hand connections to each other, by closing one and opening another.
        TestProxy.Setup one = TestProxy.over(shards)
                .general("workers", 1)
                .user("pool_size", 4)
                .admin("secret");
        Set<String> processes = ConcurrentHashMap.newKeySet();
        AtomicBoolean stop = new AtomicBoolean();
        try (TestProxy proxy = one.start()) {
            List<CompletableFuture<Void>> load = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                boolean reconnects = i % 2 == 0;
                load.add(CompletableFuture.runAsync(() -> work(proxy, stop, reconnects, processes)));
            }
            try (WireClient admin = proxy.admin("secret")) {
                for (int i = 0; i < RELOADS; i++) {
                    if (i == 10) {
                        one.alsoUser("unrelated", PgShards.APP);
                    }
                    admin.simple("RELOAD").ok();
                }
            } finally {
                stop.set(true);
            }
            load.forEach(CompletableFuture::join);
            // The same connections as before: more processes than the pool has room for would be new ones.
            assertThat(processes).hasSizeLessThanOrEqualTo(4);
            try (WireClient added = WireClient.login(proxy.host(), proxy.port(), "unrelated", TestProxy.DATABASE)) {
                added.simple("SELECT 1").ok();
            }
        }
    }

    private static void work(TestProxy proxy, AtomicBoolean stop, boolean reconnects, Set<String> processes) {
        while (!stop.get()) {
            try (WireClient client = proxy.login()) {
                do {
                    processes.add(String.valueOf(
                            client.simple("SELECT pg_backend_pid()").ok().value()));
                } while (!reconnects && !stop.get());
            }
        }
    }

    @Test
    void changesTheSizeOfAPool() {
        TestProxy.Setup setup = TestProxy.over(shards).admin("secret");
        try (TestProxy proxy = setup.start();
                WireClient admin = proxy.admin("secret");
                WireClient one = proxy.login();
                WireClient other = proxy.login()) {
            one.simple("BEGIN").ok();
            other.query("BEGIN").push();
            TestProxy.await("it waits", () -> proxy.waiting() == 1);
            setup.user("pool_size", 2);
            admin.simple("RELOAD").ok();
            other.answer().ok();
            setup.user("pool_size", 1);
            admin.simple("RELOAD").ok();
            one.simple("COMMIT").ok();
            other.simple("COMMIT").ok();
            one.simple("SELECT 1").ok();
            TestProxy.await(
                    "one is left",
                    () -> "1".equals(admin.simple("SHOW POOLS sv_total").value()));
            assertThat(admin.simple("SHOW USERS pool_size").value()).isEqualTo("1");
        }
    }

    @Test
    void changesTimes() {
        TestProxy.Setup setup = TestProxy.over(shards).admin("secret");
        try (TestProxy proxy = setup.start();
                WireClient admin = proxy.admin("secret");
                WireClient client = proxy.login()) {
            admin.simple("SET query_timeout TO 100").ok();
            assertThat(admin.simple("SHOW query_timeout").value()).isEqualTo("100");
            assertThat(client.simple("SELECT pg_sleep(20)").sqlState()).isEqualTo("57014");
            admin.simple("RELOAD").ok();
            assertThat(admin.simple("SHOW query_timeout").value()).isEqualTo("0");
            setup.general("query_timeout", 90);
            admin.simple("RELOAD").ok();
            assertThat(client.simple("SELECT pg_sleep(20)").sqlState()).isEqualTo("57014");
            assertThat(admin.simple("SET query_timeout TO -1").sqlState()).isEqualTo("22023");
            assertThat(admin.simple("SET query_timeout TO soon").sqlState()).isEqualTo("22023");
            assertThat(admin.simple("SET workers TO 3").sqlState()).isEqualTo("22023");
            assertThat(admin.simple("SET nonsense TO 3").sqlState()).isEqualTo("42704");
        }
    }

    @Test
    void logsSlowStatementsByTheirShape() {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.trunkline.slow");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        TestProxy.Setup setup = TestProxy.over(shards).general("slow_query_threshold", 30);
        try (TestProxy proxy = setup.start();
                WireClient client = proxy.login()) {
            client.simple("SELECT 'secret', pg_sleep(0.001)").ok();
            client.simple("SELECT 'secret', pg_sleep(0.05)").ok();
            client.extended("SELECT 'hidden', pg_sleep(0.06)").ok();
            List<String> texts = List.copyOf(lines.list).stream()
                    .map(ILoggingEvent::getFormattedMessage)
                    .filter(text -> text.contains("client " + client.processId()))
                    .toList();
            assertThat(texts)
                    .hasSizeGreaterThanOrEqualTo(2)
                    .allSatisfy(text -> assertThat(text)
                            .endsWith("select ?, pg_sleep (?)")
                            .contains("user app", "database db")
                            .doesNotContain("secret", "hidden"));
        } finally {
            logger.detachAppender(lines);
        }
    }

    @Test
    void changesThePasswordOfTheAdministrator() {
        TestProxy.Setup setup = TestProxy.over(shards).admin("old");
        try (TestProxy proxy = setup.start();
                WireClient admin = proxy.admin("old")) {
            setup.admin("new");
            admin.simple("RELOAD").ok();
            admin.simple("SHOW VERSION").ok();
            assertThatThrownBy(() -> proxy.admin("old")).hasMessageContaining("28P01");
            try (WireClient again = proxy.admin("new")) {
                again.simple("SHOW VERSION").ok();
            }
        }
    }
}
