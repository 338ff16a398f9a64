package dev.trunkline.proxy.admin;

import dev.trunkline.conf.General;
import dev.trunkline.conf.Range;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which settings of {@code general} take effect while the process runs, and how a value of them is changed. */
public final class RuntimeSettings {

    /** What SET may change, too. */
    private static final Set<String> SETTABLE = Set.of(
            "checkout_timeout",
            "connect_timeout",
            "idle_timeout",
            "server_lifetime",
            "rollback_timeout",
            "client_login_timeout",
            "client_idle_timeout",
            "client_idle_in_transaction_timeout",
            "query_timeout",
            "shutdown_timeout",
            "slow_query_threshold",
            "min_pool_size",
            "prepared_statements_limit");

    /** What only a reload changes: it stands together with users, or with files. */
    private static final Set<String> BY_RELOAD = Set.of(
            "auth_type",
            "auth_query",
            "auth_user",
            "auth_password",
            "passthrough_auth",
            "default_pool_size",
            "tls_certificate",
            "tls_private_key",
            "tls_client_required",
            "tls_client_ca_certificate",
            "tls_client_verify",
            "tls_verify",
            "tls_server_ca_certificate");

    private RuntimeSettings() {}

    private static boolean isAtOnce(String name) {
        return SETTABLE.contains(name) || BY_RELOAD.contains(name);
    }

    /** What is in force after a reload: the settings that take effect at once as they were read, the others as they are. */
    public static General merge(General inForce, General read) {
        return make(component -> value(isAtOnce(ConfigTables.name(component)) ? read : inForce, component));
    }

    /** The settings that differ and wait for the next start, by their names. */
    public static List<String> waiting(General inForce, General read) {
        return Arrays.stream(General.class.getRecordComponents())
                .filter(component -> !isAtOnce(ConfigTables.name(component)))
                .filter(component -> !Objects.equals(value(inForce, component), value(read, component)))
                .map(ConfigTables::name)
                .toList();
    }

    /** The settings with one of them changed; throws PgException 22023 if it cannot be, or not to this. */
    public static General with(General inForce, String name, String text) {
        if (!SETTABLE.contains(name)) {
            throw AdminErrors.invalidSetting(
                    name, "It cannot be changed by SET: change it in the file, then reload or start again.");
        }
        return make(component ->
                ConfigTables.name(component).equals(name) ? parse(component, name, text) : value(inForce, component));
    }

    private static Object parse(RecordComponent component, String name, String text) {
        long number;
        try {
            number = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw AdminErrors.invalidSetting(name, "It is a number.");
        }
        Range range = component.getAnnotation(Range.class);
        if (number < range.min() || number > range.max()) {
            throw AdminErrors.invalidSetting(name, "It is from " + range.min() + " to " + range.max() + ".");
        }
        return component.getType() == Duration.class ? Duration.ofMillis(number) : (Object) Math.toIntExact(number);
    }

    private static @Nullable Object value(General general, RecordComponent component) {
        try {
            return component.getAccessor().invoke(general);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("a setting that cannot be read: " + component.getName(), e);
        }
    }

    private static General make(Function<RecordComponent, @Nullable Object> value) {
        RecordComponent[] components = General.class.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = value.apply(components[i]);
        }
        try {
            Constructor<General> constructor = General.class.getDeclaredConstructor(types);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("settings that cannot be made", e);
        }
    }
}
