package dev.trunkline.harness.check;

import dev.trunkline.harness.pg.PgCluster;
import dev.trunkline.harness.pg.PgShards;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Carries out {@link Shards}. Other extensions, registered behind it, find here what it made. */
public final class ShardsExtension
        implements BeforeAllCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(ShardsExtension.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        if (context.getStore(NAMESPACE).get(PgShards.class) != null) {
            return; // a nested class uses the databases of the class around it
        }
        Shards wanted = context.getRequiredTestClass().getAnnotation(Shards.class);
        PgShards shards = PgCluster.shared().shards(wanted == null ? 3 : wanted.value());
        context.getStore(NAMESPACE).put(PgShards.class, shards);
        context.getStore(NAMESPACE).put(Invariants.class, new Invariants(shards));
        context.getStore(NAMESPACE).put("owner", context.getUniqueId());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        get(context, Invariants.class).assertHold();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (context.getUniqueId().equals(context.getStore(NAMESPACE).get("owner"))) {
            get(context, PgShards.class).close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == PgShards.class || type == Invariants.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return get(context, parameter.getParameter().getType());
    }

    /** The databases of a class with {@link Shards}. */
    public static PgShards shards(ExtensionContext context) {
        return get(context, PgShards.class);
    }

    /** What is checked after each test of a class with {@link Shards}. */
    public static Invariants invariants(ExtensionContext context) {
        return get(context, Invariants.class);
    }

    private static <T> T get(ExtensionContext context, Class<T> type) {
        T value = context.getStore(NAMESPACE).get(type, type);
        if (value == null) {
            throw new IllegalStateException("no " + type.getSimpleName() + " outside a class with @Shards");
        }
        return value;
    }
}
