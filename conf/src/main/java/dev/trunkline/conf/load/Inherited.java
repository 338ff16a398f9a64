package dev.trunkline.conf.load;

import dev.trunkline.conf.Database;
import dev.trunkline.conf.General;
import dev.trunkline.conf.PoolerMode;
import dev.trunkline.conf.Secret;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values that a server or a user takes over when it does not set its own.
 *
 * @param general the general settings, or their defaults when they have a fault
 * @param databases the servers without a fault
 */
record Inherited(General general, List<Database> databases) implements Inheritance {

    @Override
    public @Nullable Object value(String source, Map<String, @Nullable Object> values) {
        return switch (source) {
            case "general.pooler_mode" -> general.poolerMode();
            case "general.default_pool_size" -> general.defaultPoolSize();
            case "databases[].pooler_mode" -> poolerMode(values.get("database"));
            case "password" -> serverPasswords(values.get("password"));
            default -> values.get(source);
        };
    }

    private PoolerMode poolerMode(@Nullable Object database) {
        return databases.stream()
                .filter(entry -> entry.name().equals(database))
                .map(Database::poolerMode)
                .findFirst()
                .orElse(general.poolerMode());
    }

    /** A stored verifier opens no session on a server. */
    private static List<Secret> serverPasswords(@Nullable Object passwords) {
        if (!(passwords instanceof List<?> list)) {
            return List.of();
        }
        return list.stream()
                .map(Secret.class::cast)
                .filter(secret -> !secret.isScramVerifier())
                .toList();
    }
}
