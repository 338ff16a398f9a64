package dev.trunkline.proxy.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.wire.WireClient;
import dev.trunkline.proxy.fixture.ProxyProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Transfers between accounts on three shards by twenty clients of two proxies, while shards and one of the proxies are
 * killed, stopped and started at random: no money comes or goes, no transaction stays prepared, and what every client was
 * told is true. {@code -Dscale=full} makes it ten minutes, {@code -Dbank.seed} repeats the faults of a run.
 */
class BankIT {

    private static final boolean FULL = "full".equals(System.getProperty("scale"));
    private static final Duration RUN = Duration.ofSeconds(Long.getLong("bank.seconds", FULL ? 600 : 15));
    private static final int CLIENTS = 20;

    private final Map<Long, Told> told = new ConcurrentHashMap<>();
    private final Map<String, Integer> faults = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private volatile boolean over;

    @Test
    void noMoneyIsLostAndEveryAnswerIsTrue(@TempDir Path folder) throws Exception {
        long seed = Long.getLong("bank.seed", System.nanoTime());
        System.out.println("bank: seed " + seed + ", " + RUN.toSeconds() + " s");
        try (Bank bank = new Bank(3);
                ProxyProcess steady = start(folder.resolve("steady"), bank, "steady");
                ProxyProcess shaken = start(folder.resolve("shaken"), bank, "shaken")) {
            List<Thread> clients = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                Random random = new Random(seed + client);
                Thread thread = new Thread(() -> work(random, steady, shaken), "client-" + client);
                thread.start();
                clients.add(thread);
            }
            shake(new Random(seed), bank, shaken);
            over = true;
            for (Thread client : clients) {
                client.join(TimeUnit.SECONDS.toMillis(60));
                assertThat(client.isAlive()).isFalse();
            }
            bank.awaitSettled();
            report();
            check(bank);
        }
    }

    private static ProxyProcess start(Path folder, Bank bank, String instance) throws IOException {
        return ProxyProcess.start(Files.createDirectories(folder), bank.configuration(instance));
    }

    // ---- faults

    private void shake(Random random, Bank bank, ProxyProcess shaken) {
        long end = System.nanoTime() + RUN.toNanos();
        for (int turn = 0; System.nanoTime() < end; turn++) {
            pause(random, 200, 1500);
            // The first three turns have one fault of each kind; the rest is left to chance.
            switch (turn < 3 ? turn : random.nextInt(5)) {
                case 0 -> {
                    count("proxy killed");
                    shaken.kill9();
                    pause(random, 0, 1000);
                    shaken.restart();
                }
                case 1 -> {
                    count("proxy stopped");
                    shaken.stop();
                    pause(random, 100, 4000);
                    shaken.resume();
                }
                default -> {
                    int shard = random.nextInt(3);
                    count("shard killed");
                    bank.server(shard).kill9();
                    pause(random, 0, 1000);
                    bank.server(shard).start();
                }
            }
        }
    }

    private void count(String fault) {
        faults.merge(fault, 1, Integer::sum);
    }

    private static void pause(Random random, int leastMillis, int mostMillis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(leastMillis + random.nextInt(mostMillis - leastMillis)));
    }

    // ---- clients

    private void work(Random random, ProxyProcess steady, ProxyProcess shaken) {
        while (!over) {
            ProxyProcess proxy = random.nextInt(2) == 0 ? steady : shaken;
            try (WireClient wire = proxy.login();
                    Teller teller = new Teller(wire)) {
                for (int i = 0; i < 50 && !over && !teller.isLost(); i++) {
                    transfer(random, teller);
                }
            } catch (AssertionError | RuntimeException unreachable) {
                pause(random, 10, 100);
            }
        }
    }

    private void transfer(Random random, Teller teller) {
        int from = 1 + random.nextInt(Bank.ACCOUNTS);
        int to = 1 + random.nextInt(Bank.ACCOUNTS - 1);
        long number = numbers.incrementAndGet();
        told.put(number, teller.transfer(number, from, to >= from ? to + 1 : to, 1 + random.nextInt(10)));
    }

    // ---- the end

    private void report() {
        Map<Told, Long> counts = new EnumMap<>(Told.class);
        told.values().forEach(each -> counts.merge(each, 1L, Long::sum));
        System.out.println("bank: transfers " + counts + ", faults " + faults);
    }

    private void check(Bank bank) {
        Map<Long, Long> entries = bank.entries();
        List<String> lies = new ArrayList<>();
        told.forEach((number, answer) -> {
            long found = entries.getOrDefault(number, 0L);
            if (!answer.fits(found)) {
                lies.add(number + " was told " + answer + " and has entries with " + found + " accounts");
            }
        });
        assertThat(lies).isEmpty();
        assertThat(bank.total()).isEqualTo(Bank.ACCOUNTS * Bank.FUNDS);
        assertThat(bank.unexplained()).isZero();
        assertThat(told.values()).contains(Told.COMMITTED);
        assertThat(faults).containsOnlyKeys("proxy killed", "proxy stopped", "shard killed");
    }
}
