package dev.trunkline.harness.check;

import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class in whose course a Netty buffer was lost. It watches every class of a module that has this
 * harness and Netty on its class path; nothing needs to be declared.
 *
 * <p>The test JVM must run with {@code -Dio.netty.leakDetection.level=paranoid}, or Netty tracks samples only.
 */
public final class LeakWatch implements AfterAllCallback {

    private static final boolean WATCHES = install();

    @Override
    public void afterAll(ExtensionContext context) {
        if (WATCHES
                && context.getParent()
                        .map(parent -> parent.getTestClass().isEmpty())
                        .orElse(true)) {
            List<String> leaks = NettyLeaks.drain();
            if (!leaks.isEmpty()) {
                throw new AssertionError("LEAK: " + String.join("\nLEAK: ", leaks));
            }
        }
    }

    private static boolean install() {
        try {
            Class.forName("io.netty.buffer.ByteBufAllocator", false, LeakWatch.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            return false;
        }
        NettyLeaks.install();
        return true;
    }
}
