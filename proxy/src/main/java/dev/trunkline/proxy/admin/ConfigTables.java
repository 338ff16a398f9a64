package dev.trunkline.proxy.admin;

import dev.trunkline.conf.Configuration;
import dev.trunkline.conf.Database;
import dev.trunkline.conf.General;
import dev.trunkline.conf.Secret;
import dev.trunkline.conf.User;
import dev.trunkline.proxy.metrics.Observation;
import dev.trunkline.proxy.pool.PoolView;
import dev.trunkline.proxy.pool.Pools;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** SHOW CONFIG, DATABASES and USERS, and SHOW with the name of a setting. */
final class ConfigTables {

    static final List<String> CONFIG = List.of("name", "value");

    static final List<String> DATABASES = List.of(
            "name",
            "host",
            "port",
            "database",
            "force_user",
            "shard",
            "role",
            "pool_size",
            "min_pool_size",
            "pool_mode",
            "max_connections",
            "current_connections",
            "paused",
            "disabled");

    static final List<String> USERS = List.of("name", "database", "server_user", "pool_size", "pool_mode");

    private ConfigTables() {}

    /** The names of the settings, as they stand in the file. */
    static List<String> names() {
        return Arrays.stream(General.class.getRecordComponents())
                .map(ConfigTables::name)
                .toList();
    }

    static String name(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    static Table config(Observation seen) {
        Table.Builder table = new Table.Builder(CONFIG);
        for (String name : names()) {
            table.row(name, value(seen.configuration().general(), name));
        }
        return table.build();
    }

    static Table setting(Observation seen, String name) {
        Table.Builder table = new Table.Builder(List.of(name));
        table.row(value(seen.configuration().general(), name));
        return table.build();
    }

    private static @Nullable String value(General general, String name) {
        for (RecordComponent component : General.class.getRecordComponents()) {
            if (name(component).equals(name)) {
                try {
                    return text(component.getAccessor().invoke(general));
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException("a setting that cannot be read: " + name, e);
                }
            }
        }
        return null;
    }

    private static @Nullable String text(@Nullable Object value) {
        if (value instanceof Duration duration) {
            return Long.toString(duration.toMillis());
        }
        if (value instanceof Secret) {
            return "********";
        }
        return value instanceof Enum<?> word
                ? word.name().toLowerCase(Locale.ROOT)
                : value == null ? null : value.toString();
    }

    /** The mode of a pool; of one made on demand, that of its database. */
    static String mode(Configuration configuration, Pools.Key key) {
        User user = configuration.user(key.database(), key.user());
        if (user != null) {
            return user.poolerMode().name().toLowerCase(Locale.ROOT);
        }
        return configuration.databases(key.database()).stream()
                .map(server -> server.poolerMode().name().toLowerCase(Locale.ROOT))
                .findFirst()
                .orElse("");
    }

    static Table databases(Observation seen) {
        Table.Builder table = new Table.Builder(DATABASES);
        General general = seen.configuration().general();
        for (Database server : seen.configuration().databases()) {
            List<PoolView> pools = seen.pools().stream()
                    .filter(pool -> pool.key().database().equals(server.name())
                            && pool.key().shard() == server.shard())
                    .toList();
            table.row(
                    server.name(),
                    server.host(),
                    server.port(),
                    server.databaseName(),
                    null,
                    server.shard(),
                    server.role().name().toLowerCase(Locale.ROOT),
                    general.defaultPoolSize(),
                    general.minPoolSize(),
                    server.poolerMode().name().toLowerCase(Locale.ROOT),
                    pools.stream().mapToInt(pool -> pool.limits().size()).sum(),
                    pools.stream().mapToInt(pool -> pool.servers().size()).sum(),
                    PoolTables.flag(pools.stream().anyMatch(PoolView::isPaused)),
                    PoolTables.flag(false));
        }
        return table.build();
    }

    static Table users(Observation seen) {
        Table.Builder table = new Table.Builder(USERS);
        for (User user : seen.configuration().users()) {
            table.row(
                    user.name(),
                    user.database(),
                    user.serverUser(),
                    user.poolSize(),
                    user.poolerMode().name().toLowerCase(Locale.ROOT));
        }
        return table.build();
    }
}
