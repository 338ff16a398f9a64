package dev.trunkline.proxy;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.load.ConfigurationLoader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TrunklineIT {

    @Test
    void failsToStartWhereItCannotListen() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> Trunkline.start(onPort(taken.getLocalPort()))
                            .toCompletionStage()
                            .toCompletableFuture()
                            .get(10, TimeUnit.SECONDS))
                    .hasMessageContaining("Address already in use");
        }
    }

    private static Configuration onPort(int port) {
        String text = """
                {
                  "general": { "host": "127.0.0.1", "port": %d, "auth_type": "trust" },
                  "databases": [ { "name": "d", "host": "127.0.0.1", "port": 1 } ],
                  "users": [ { "name": "u", "database": "d" } ]
                }
                """;
        return ConfigurationLoader.parse("test", text.formatted(port), name -> null);
    }
}
