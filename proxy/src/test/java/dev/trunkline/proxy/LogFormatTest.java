package dev.trunkline.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.joran.spi.JoranException;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The log is text for people, or JSON for machines where the environment says so. */
class LogFormatTest {

    private static String logged(String format) throws JoranException {
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        context.putProperty("TRUNKLINE_LOG", format);
        PrintStream before = System.err;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setErr(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            JoranConfigurator configurator = new JoranConfigurator();
            configurator.setContext(context);
            configurator.doConfigure(Objects.requireNonNull(LogFormatTest.class.getResource("/logback.xml")));
            context.getLogger("dev.trunkline.Some").info("port {} is \"open\"", 1);
            context.stop();
        } finally {
            System.setErr(before);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void isTextUnlessAskedOtherwise() throws JoranException {
        assertThat(logged("text")).contains("INFO  Some port 1 is \"open\"").hasLineCount(1);
    }

    @Test
    void isJsonWhereItIsAskedFor() throws JoranException {
        JsonObject line = new JsonObject(logged("json"));
        assertThat(line.getString("level")).isEqualTo("INFO");
        assertThat(line.getString("formattedMessage")).isEqualTo("port 1 is \"open\"");
        assertThat(line.getString("loggerName")).isEqualTo("dev.trunkline.Some");
    }
}
