package dev.trunkline.proxy.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trunkline.harness.check.Shards;
import dev.trunkline.harness.pg.PgShards;
import dev.trunkline.harness.pg.Ports;
import dev.trunkline.proxy.fixture.Metrics;
import dev.trunkline.proxy.fixture.TestProxy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What documents say of metrics is there. */
@Shards(1)
class DashboardIT {

    private static final Path DOCS = Path.of("..", "docs");

    private static Set<String> names(Path file, String pattern) throws IOException {
        Set<String> names = new TreeSet<>();
        Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(file));
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    @Test
    void asksForNoMetricThatDoesNotExist(PgShards shards) throws IOException {
        int port = Ports.free();
        try (TestProxy proxy =
                TestProxy.over(shards).general("openmetrics_port", port).start()) {
            String page = Metrics.page(port, "/metrics").body();
            Set<String> asked = names(DOCS.resolve("grafana-dashboard.json"), "trunkline_([a-z_]+)");
            assertThat(asked)
                    .hasSizeGreaterThan(20)
                    .allSatisfy(name -> assertThat(page).contains("# TYPE " + name.replaceAll("_bucket$", "") + " "));
            Set<String> told = names(DOCS.resolve("operations.md"), "`(total_[a-z_]+|sv_[a-z_]+|cl_[a-z]+)`");
            assertThat(told)
                    .hasSizeGreaterThan(20)
                    .allSatisfy(name -> assertThat(page).contains("# TYPE " + name + " "));
        }
    }
}
