package dev.trunkline.proxy.engine;

import dev.trunkline.proxy.settings.Settings;
import java.util.Map;

/**
 * How a session begins.
 *
 * @param settings what the start-up packet set
 * @param reported the run-time parameters that the client was told at login
 * @param processId that the client was told at login
 */
public record SessionStart(Settings settings, Map<String, String> reported, int processId) {}
