package dev.trunkline.proxy.oracle;

import static dev.trunkline.proxy.oracle.Menu.Use.READ;
import static dev.trunkline.proxy.oracle.Menu.Use.WRITE_SETTINGS;
import static dev.trunkline.proxy.oracle.Menu.Use.WRITE_TENANTS_TABLE;

import org.jspecify.annotations.Nullable;

/** Statements over the tables that every shard holds. */
final class Omnisharded {

    private Omnisharded() {}

    static void addTo(Menu menu) {
        menu.add(READ, 6, Omnisharded::read);
        menu.add(WRITE_SETTINGS, 5, Omnisharded::writeSettings);
        menu.add(WRITE_TENANTS_TABLE, 2, Omnisharded::writeTenants);
        menu.add(WRITE_TENANTS_TABLE, 3, Omnisharded::newTenant);
        menu.add(WRITE_TENANTS_TABLE, 1, Omnisharded::changedTenant);
    }

    private static Value key(World world) {
        return Value.text("w" + world.owner().value() + "/" + world.dice().below(12));
    }

    private static Request read(World world) {
        return switch (world.dice().below(5)) {
            case 0 ->
                world.say(
                                Form.READ_OMNISHARDED,
                                "SELECT * FROM tenants WHERE " + world.mine() + " ORDER BY id COLLATE \"C\" LIMIT 3",
                                world.mineValue())
                        .inOrder();
            case 1 ->
                world.say(
                        Form.READ_OMNISHARDED,
                        "SELECT count(*), max(n) FROM settings WHERE " + world.mine(),
                        world.mineValue());
            case 2 ->
                world.say(
                        Form.READ_OMNISHARDED,
                        "SELECT c.name, p.name AS parent FROM tenants c LEFT JOIN tenants p ON p.id = c.parent_tenant_id"
                                + " WHERE c." + world.mine(),
                        world.mineValue());
            case 3 ->
                world.say(
                        Form.READ_OMNISHARDED, "SELECT name, plan FROM public.tenants WHERE id = ?", world.anyTenant());
            default -> world.say(Form.READ_OMNISHARDED, "SELECT value, n FROM \"settings\" WHERE key = ?", key(world));
        };
    }

    private static Request writeSettings(World world) {
        return switch (world.dice().below(6)) {
            case 0 ->
                world.say(
                        Form.WRITE_SETTINGS,
                        "INSERT INTO settings VALUES (?, ?, ?)",
                        key(world),
                        Writes.note(world),
                        world.owner());
            case 1, 2 ->
                world.say(
                        Form.WRITE_SETTINGS,
                        "INSERT INTO settings (key, value, worker, n) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE"
                                + " SET value = EXCLUDED.value, n = settings.n + 1 RETURNING key, n",
                        key(world),
                        Writes.note(world),
                        world.owner(),
                        world.rowId());
            case 3 ->
                world.say(
                        Form.WRITE_SETTINGS,
                        "UPDATE settings SET n = coalesce(n, 0) + ? WHERE " + world.mine(),
                        Value.int4(1),
                        world.mineValue());
            case 4 ->
                world.say(
                        Form.WRITE_SETTINGS,
                        "UPDATE public.settings AS s SET value = upper(value) WHERE s.key = ? RETURNING s.*",
                        key(world));
            default -> world.say(Form.WRITE_SETTINGS, "DELETE FROM settings WHERE key = ?", key(world));
        };
    }

    private static Request writeTenants(World world) {
        return world.dice().percent(50)
                ? world.say(
                        Form.WRITE_TENANTS,
                        "UPDATE tenants SET name = ?, plan = plan + 1 WHERE id = ? RETURNING name",
                        Writes.note(world),
                        world.anyTenant())
                : world.say(
                        Form.WRITE_TENANTS,
                        "UPDATE tenants SET plan = ? WHERE " + world.mine(),
                        Value.int2(world.dice().below(5)),
                        world.mineValue());
    }

    private static Request newTenant(World world) {
        Value id = Value.text(world.newTenant());
        Value parent = world.dice().percent(50) ? world.anyTenant() : Value.nothing(Value.Type.VARCHAR);
        return switch (world.dice().below(3)) {
            case 0 ->
                world.say(
                        Form.NEW_TENANT,
                        "INSERT INTO tenants VALUES (?, ?, ?, ?)",
                        id,
                        parent,
                        Writes.note(world),
                        world.owner());
            case 1 ->
                world.say(
                        Form.NEW_TENANT,
                        "INSERT INTO tenants (worker, parent_tenant_id, id) VALUES (?, ?, ?) RETURNING id",
                        world.owner(),
                        parent,
                        id);
            default ->
                world.say(
                        Form.NEW_TENANT,
                        "INSERT INTO tenants (id, parent_tenant_id, worker, plan) VALUES (?, ?, ?, 1)"
                                + " ON CONFLICT (id) DO UPDATE SET name = 'twice'",
                        id,
                        parent,
                        world.owner());
        };
    }

    /** Another place for a tenant that has no rows; only outside of transactions, where what is empty stays so. */
    private static @Nullable Request changedTenant(World world) {
        String empty = world.home() == null ? world.emptyTenant() : null;
        if (empty == null) {
            return null;
        }
        return world.dice().percent(50)
                ? world.say(Form.CHANGED_TENANT, "DELETE FROM tenants WHERE id = ?", Value.text(empty))
                : world.say(
                        Form.CHANGED_TENANT,
                        "UPDATE tenants SET parent_tenant_id = ? WHERE id = ?",
                        world.dice().of(world.anyTenant(), Value.nothing(Value.Type.VARCHAR)),
                        Value.text(empty));
    }
}
