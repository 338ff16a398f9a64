package dev.trunkline.proxy.net;

import org.jspecify.annotations.Nullable;

/**
 * The encryption in force, for all threads: read once per connection, replaced as a whole at a reload.
 */
public final class Tls {

    /**
     * Both sides.
     *
     * @param clients null = clients get no TLS
     * @param servers null = servers are spoken to in clear
     */
    public record Settings(
            @Nullable ClientTls clients, @Nullable ServerTls servers) {

        /** In clear on both sides. */
        public static final Settings NONE = new Settings(null, null);
    }

    private volatile Settings settings;

    /** With the settings of the start. */
    public Tls(Settings settings) {
        this.settings = settings;
    }

    /** New connections take these; those that stand keep theirs. */
    public void replace(Settings newSettings) {
        settings = newSettings;
    }

    /** For clients; null = none. */
    public @Nullable ClientTls clients() {
        return settings.clients();
    }

    /** For servers; null = none. */
    @Nullable
    ServerTls servers() {
        return settings.servers();
    }
}
