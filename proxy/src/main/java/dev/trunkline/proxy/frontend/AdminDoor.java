package dev.trunkline.proxy.frontend;

import dev.trunkline.proxy.net.FrameSink;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.WireChannel;
import java.util.Map;

/** Where the administrator goes after the login. For all threads. */
public interface AdminDoor {

    /** The run-time parameters that the client is told. */
    Map<String, String> reported();

    /** Who takes the client's messages from now on; it has been told ReadyForQuery. Called on the client's loop. */
    FrameSink open(Loop loop, WireChannel client);
}
