package dev.trunkline.proxy.admin;

import dev.trunkline.proxy.frontend.AdminDoor;
import dev.trunkline.proxy.net.FrameSink;
import dev.trunkline.proxy.net.Loop;
import dev.trunkline.proxy.net.WireChannel;
import java.util.Map;

/** The admin database; for all threads. */
public final class AdminDatabase implements AdminDoor {

    private static final Map<String, String> REPORTED = Map.ofEntries(
            Map.entry("application_name", ""),
            Map.entry("client_encoding", "UTF8"),
            Map.entry("DateStyle", "ISO, MDY"),
            Map.entry("integer_datetimes", "on"),
            Map.entry("IntervalStyle", "postgres"),
            Map.entry("is_superuser", "on"),
            Map.entry("server_encoding", "UTF8"),
            Map.entry("server_version", AdminSession.SERVER_VERSION),
            Map.entry("session_authorization", "admin"),
            Map.entry("standard_conforming_strings", "on"),
            Map.entry("TimeZone", "UTC"));

    private final Commands commands;

    /** The admin database of a process. */
    public AdminDatabase(Control control) {
        this.commands = new Commands(control);
    }

    @Override
    public Map<String, String> reported() {
        return REPORTED;
    }

    @Override
    public FrameSink open(Loop loop, WireChannel client) {
        return new AdminSession(loop, client, commands);
    }
}
