package dev.trunkline.proxy.scenario;

import dev.trunkline.conf.LookupMiss;
import dev.trunkline.proxy.fixture.ProxyProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random work through two proxies in processes of their own, which stand still at any moment for up to two seconds and then go on
 * from where they were: between two COMMITs, between a read and its publication, with a load or a probe under way.
 */
class StoppedHistoryIT extends HistoryScenario {

    private static final int LONGEST_STOP_MILLIS = 2_000;
    private static final int SHORT_STOP_MILLIS = 50;
    private static final int LONGEST_RUN_MILLIS = 300;

    @TempDir
    private Path folder;

    private final Map<LookupMiss, ProxyProcess> processes = new EnumMap<>(LookupMiss.class);
    private final List<Client> clients = new ArrayList<>();
    private boolean keepOnInsert;

    private void launch() throws IOException {
        for (LookupMiss miss : LookupMiss.values()) {
            Path own = Files.createDirectories(folder.resolve(miss.name()));
            Map<String, Object> settings = Map.of(
                    "lookup_miss",
                    miss.name().toLowerCase(java.util.Locale.ROOT),
                    "lookup_keep_on_insert",
                    keepOnInsert,
                    "lookup_reload_interval",
                    5,
                    "lookup_wait_timeout",
                    20_000,
                    "checkout_timeout",
                    20_000);
            processes.put(miss, ProxyProcess.start(own, deployment().configuration(settings)));
        }
    }

    @AfterEach
    void end() {
        clients.forEach(Client::close);
        clients.clear();
        processes.values().forEach(ProxyProcess::close);
        processes.clear();
    }

    @Override
    synchronized Client worker(Way way) {
        Client client = new Client(null, processes.get(way.miss()).login(), way.protocol());
        clients.add(client);
        return client;
    }

    @Override
    Runnable disturbance(long seed) {
        Random random = new Random(seed);
        List<ProxyProcess> all = List.copyOf(processes.values());
        return () -> {
            ProxyProcess one = all.get(random.nextInt(all.size()));
            pause(random.nextInt(LONGEST_RUN_MILLIS));
            one.stop();
            // Short ones by far the most: they meet more of the moments.
            pause(random.nextInt(random.nextInt(10) == 0 ? LONGEST_STOP_MILLIS : SHORT_STOP_MILLIS));
            one.resume();
        };
    }

    private static void pause(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @ParameterizedTest
    @CsvSource({"PROBE, true", "PROBE, false", "RELOAD, true", "RELOAD, false"})
    void aProxyThatStandsStillGoesOnRightly(LookupMiss changes, boolean keep) throws Exception {
        keepOnInsert = keep;
        launch();
        explained(changes);
    }
}
