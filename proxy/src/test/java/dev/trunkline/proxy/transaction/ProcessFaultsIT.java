package dev.trunkline.proxy.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.fault.Direction;
import dev.trunkline.harness.fault.TcpRelay;
import dev.trunkline.proxy.fixture.ProxyProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole processes end, or stand still, at a given message of a commit over several shards, and another instance recovers:
 * stored on all shards or on none, and what the client was told is true. The coordinator reaches the shards by relays,
 * which hold the message; the other instance does not.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ProcessFaultsIT {

    private static final boolean FULL = "full".equals(System.getProperty("scale"));

    private final List<TcpRelay> relays = new ArrayList<>();
    private final AtomicLong numbers = new AtomicLong();
    private Bank bank;
    private ProxyProcess coordinator;
    private ProxyProcess other;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        bank = new Bank(3);
        for (int shard = 0; shard < 3; shard++) {
            relays.add(TcpRelay.to(bank.shards().host(), bank.shards().port(shard)));
        }
        coordinator = ProxyProcess.start(
                Files.createDirectories(folder.resolve("coordinator")),
                bank.configuration(
                        "coordinator", relays.stream().map(TcpRelay::port).toList()));
        other = ProxyProcess.start(Files.createDirectories(folder.resolve("other")), bank.configuration("other"));
    }

    @AfterEach
    void thaw() {
        relays.forEach(relay -> relay.thaw(Direction.TO_CLIENT));
        relays.forEach(relay -> relay.thaw(Direction.TO_SERVER));
    }

    @AfterAll
    void end() {
        coordinator.close();
        other.close();
        relays.forEach(TcpRelay::close);
        bank.close();
    }

    /** Where the commit of a transfer between two shards is held: before a message, or before its answer. */
    private static Stream<Arguments> moments() {
        List<Arguments> moments = new ArrayList<>();
        for (int decider = 1; decider < (FULL ? 3 : 2); decider++) {
            for (int shard = 0; shard < decider; shard++) {
                for (Direction direction : Direction.values()) {
                    moments.add(Arguments.of(shard, decider, shard, direction, "PREPARE TRANSACTION"));
                    moments.add(Arguments.of(shard, decider, decider, direction, "COMMIT"));
                    moments.add(Arguments.of(shard, decider, shard, direction, "COMMIT PREPARED"));
                }
                moments.add(
                        Arguments.of(shard, decider, decider, Direction.TO_SERVER, "INSERT INTO trunkline.decision"));
            }
        }
        return moments.stream();
    }

    /** Those at which a proxy is held: it takes seconds to come back, or to be missed. */
    private static Stream<Arguments> momentsOfAProxy() {
        return moments().filter(moment -> FULL || moment.get()[3] == Direction.TO_SERVER);
    }

    /** A transfer whose commit is held; its answer is awaited on a thread of its own. */
    private final class Held {
        private final long number = numbers.incrementAndGet();
        private final Teller teller = new Teller(coordinator.login());
        private final Thread thread;
        private volatile Told told = Told.UNKNOWN;

        Held(int one, int two, int held, Direction direction, String message) {
            assertThat(teller.begin(number, bank.accountOn(one), bank.accountOn(two), 1))
                    .isTrue();
            relays.get(held).holdBefore(direction, message);
            thread = new Thread(() -> told = teller.commit(), "commit");
            thread.start();
            relays.get(held).awaitHold(direction);
        }

        void thaw(int held, Direction direction) {
            relays.get(held).thaw(direction);
        }

        void check() {
            try {
                thread.join(30_000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            assertThat(thread.isAlive()).isFalse();
            teller.close();
            bank.awaitSettled();
            long entries = bank.entries(number);
            assertThat(entries).as("on both shards or on none").isIn(0L, 2L);
            assertThat(told.fits(entries))
                    .as("told %s, entries %d", told, entries)
                    .isTrue();
            assertThat(bank.total()).isEqualTo(Bank.ACCOUNTS * Bank.FUNDS);
        }
    }

    @ParameterizedTest
    @MethodSource("momentsOfAProxy")
    void aProxyThatIsKilledLeavesAllOrNothing(int one, int two, int held, Direction direction, String message) {
        Held commit = new Held(one, two, held, direction, message);
        coordinator.kill9();
        commit.thaw(held, direction);
        commit.check();
        coordinator.restart();
        transferWorks(coordinator);
    }

    /** It stands still; another instance, which sees no sign of life, ends what it has begun; then it goes on. */
    @ParameterizedTest
    @MethodSource("momentsOfAProxy")
    void aProxyThatIsStoppedOverARecoveryAgreesWithIt(int one, int two, int held, Direction direction, String message) {
        Held commit = new Held(one, two, held, direction, message);
        coordinator.stop();
        try {
            // As its host's end would, or a network that takes its connections away.
            bank.shards()
                    .executeAll("SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)"
                            + " WHERE locktype = 'advisory' AND objid = " + livenessOf("coordinator"));
            if (!waitsForTheCoordinator(direction, message)) {
                bank.awaitSettled();
            }
        } finally {
            coordinator.resume();
        }
        commit.thaw(held, direction);
        commit.check();
        transferWorks(coordinator);
    }

    /** Only the coordinator can end the decider's transaction once the decision is entered into it. */
    private static boolean waitsForTheCoordinator(Direction direction, String message) {
        return direction == Direction.TO_SERVER && message.equals("COMMIT");
    }

    private static String livenessOf(String instance) {
        return "(('x' || encode(substr(sha256('trunkline instance " + instance + "."
                + "%08x".formatted(Bank.DATABASE.hashCode()) + "'::bytea), 5, 4), 'hex'))::bit(32)::bigint)";
    }

    @ParameterizedTest
    @MethodSource("moments")
    void aShardThatIsKilledLeavesAllOrNothing(int one, int two, int held, Direction direction, String message) {
        Held commit = new Held(one, two, held, direction, message);
        bank.server(held).kill9();
        commit.thaw(held, direction);
        bank.server(held).start();
        commit.check();
        transferWorks(coordinator);
    }

    /** The one that is killed is not the one that is waited for. */
    @ParameterizedTest
    @MethodSource("moments")
    void theOtherShardMayBeKilledToo(int one, int two, int held, Direction direction, String message) {
        int killed = held == one ? two : one;
        Held commit = new Held(one, two, held, direction, message);
        bank.server(killed).kill9();
        bank.server(killed).start();
        commit.thaw(held, direction);
        commit.check();
        transferWorks(coordinator);
    }

    /** Both instances are gone: the first to come back recovers. */
    @Test
    void whoComesBackFirstRecovers() {
        Held commit = new Held(0, 1, 0, Direction.TO_SERVER, "COMMIT PREPARED");
        other.kill9();
        coordinator.kill9();
        commit.thaw(0, Direction.TO_SERVER);
        other.restart();
        commit.check();
        assertThat(bank.entries(commit.number)).isEqualTo(2);
        coordinator.restart();
        transferWorks(coordinator);
    }

    /** A transfer comes through, at the latest when the proxy has noticed what it has lost. */
    private void transferWorks(ProxyProcess proxy) {
        Told told = Told.ROLLED_BACK;
        for (int attempt = 0; attempt < 20 && told != Told.COMMITTED; attempt++) {
            try (Teller teller = new Teller(proxy.login())) {
                told = teller.transfer(numbers.incrementAndGet(), bank.accountOn(0), bank.accountOn(1), 1);
            }
        }
        assertThat(told).isEqualTo(Told.COMMITTED);
    }
}
