package dev.trunkline.proxy.oracle;

import static dev.trunkline.proxy.oracle.Menu.Use.WRITE_LIST;
import static dev.trunkline.proxy.oracle.Menu.Use.WRITE_SEVERAL_SHARDS;
import static dev.trunkline.proxy.oracle.Menu.Use.WRITE_TENANT;

/** Writes of tables whose key is translated. */
final class Writes {

    private Writes() {}

    static void addTo(Menu menu) {
        menu.add(WRITE_TENANT, 8, Writes::insert);
        menu.add(WRITE_TENANT, 4, Writes::insertWithoutColumns);
        menu.add(WRITE_TENANT, 4, Writes::insertReturning);
        menu.add(WRITE_TENANT, 4, Writes::insertRows);
        menu.add(WRITE_TENANT, 4, Writes::upsertNothing);
        menu.add(WRITE_TENANT, 5, Writes::upsertUpdate);
        menu.add(WRITE_TENANT, 4, Writes::updateByKey);
        menu.add(WRITE_TENANT, 6, Writes::updateByKeyAndMore);
        menu.add(WRITE_TENANT, 4, Writes::delete);
        menu.add(WRITE_LIST, 2, Writes::updateByList);
        menu.add(WRITE_LIST, 5, Writes::insertRowsOfSeveral);
        menu.add(WRITE_SEVERAL_SHARDS, 3, Writes::scatterUpdate);
        menu.add(WRITE_SEVERAL_SHARDS, 2, Writes::scatterDelete);
        menu.add(WRITE_TENANT, 2, Writes::deeper);
    }

    static Value amount(World world) {
        return Value.numeric(world.dice().below(100) + "." + world.dice().between(10, 99));
    }

    static Value note(World world) {
        return world.dice().percent(15)
                ? Value.nothing(Value.Type.TEXT)
                : Value.text(world.dice().of("n", "note", "n'ote", "ñ", "a\\b", "")
                        + world.dice().below(100));
    }

    private static Value email(World world) {
        return Value.text("u" + world.dice().below(30) + "@example.org");
    }

    private static Value age(World world) {
        return Value.int2(world.dice().below(90));
    }

    private static Request insert(World world) {
        return switch (world.dice().below(5)) {
            case 0, 1 ->
                world.say(
                        Form.INSERT_WITH_COLUMNS,
                        "INSERT INTO " + table(world, "orders")
                                + " (id, worker, tenant_id, user_id, total, note) VALUES (?, ?, ?, ?, ?, ?)",
                        world.rowId(),
                        world.owner(),
                        world.tenant(),
                        world.rowId(),
                        amount(world),
                        note(world));
            case 2 ->
                world.say(
                        Form.INSERT_WITH_COLUMNS,
                        "INSERT INTO users (\"tenant_id\", id, worker, email, age) VALUES (?, ?, ?, ?, ?)",
                        world.tenant(),
                        world.rowId(),
                        world.owner(),
                        email(world),
                        age(world));
            case 3 ->
                world.say(
                        Form.INSERT_WITH_COLUMNS,
                        "INSERT INTO archive.orders AS a (worker, id, TENANT_ID, total) VALUES (?, ?, ?, ?)",
                        world.owner(),
                        world.rowId(),
                        world.tenant(),
                        amount(world));
            default ->
                world.say(
                        Form.INSERT_WITH_COLUMNS,
                        "INSERT INTO orders (worker, tenant_id, id, status, total) VALUES (?, ?, ?, DEFAULT, ?::numeric + 1)",
                        world.owner(),
                        world.tenant(),
                        world.rowId(),
                        amount(world));
        };
    }

    private static String table(World world, String name) {
        return world.dice().of(name, name, "public." + name, '"' + name + '"');
    }

    private static Request insertWithoutColumns(World world) {
        return switch (world.dice().below(3)) {
            case 0 ->
                world.say(
                        Form.INSERT_WITHOUT_COLUMNS,
                        "INSERT INTO users VALUES (?, ?, ?, ?, ?, ?)",
                        world.tenant(),
                        world.rowId(),
                        world.owner(),
                        email(world),
                        age(world),
                        Value.bool(world.dice().percent(50)));
            case 1 ->
                world.say(
                        Form.INSERT_WITHOUT_COLUMNS,
                        "INSERT INTO public.orders VALUES (?, ?, ?)",
                        world.rowId(),
                        world.tenant(),
                        world.owner());
            default ->
                world.say(
                        Form.INSERT_WITHOUT_COLUMNS,
                        "INSERT INTO public.orders VALUES (?, ?, ?, NULL, 'paid', ?, ?)",
                        world.rowId(),
                        world.tenant(),
                        world.owner(),
                        amount(world),
                        note(world));
        };
    }

    private static Request insertReturning(World world) {
        return world.say(
                Form.INSERT_RETURNING,
                "INSERT INTO orders (tenant_id, id, worker, total) VALUES (?, ?, ?, ?) RETURNING "
                        + world.dice().of("*", "id, status", "total * 2 AS twice, tenant_id", "orders.at"),
                world.tenant(),
                world.rowId(),
                world.owner(),
                amount(world));
    }

    private static Request insertRows(World world) {
        Value tenant = world.tenant();
        return world.dice().percent(50)
                ? world.say(
                        Form.INSERT_ROWS_OF_ONE_KEY,
                        "INSERT INTO orders (tenant_id, id, worker, note) VALUES (?, ?, ?, ?), (?, ?, ?, ?)"
                                + " ON CONFLICT DO NOTHING",
                        tenant,
                        world.rowId(),
                        world.owner(),
                        note(world),
                        tenant,
                        world.rowId(),
                        world.owner(),
                        note(world))
                : world.say(
                        Form.INSERT_ROWS_OF_ONE_KEY,
                        "INSERT INTO users VALUES (?, ?, ?), (?, ?, ?), (?, ?, ?) RETURNING id",
                        tenant,
                        world.rowId(),
                        world.owner(),
                        tenant,
                        world.rowId(),
                        world.owner(),
                        tenant,
                        world.rowId(),
                        world.owner());
    }

    private static Request insertRowsOfSeveral(World world) {
        return switch (world.dice().below(4)) {
            case 0 ->
                world.say(
                        Form.INSERT_ROWS_OF_SEVERAL_KEYS,
                        "INSERT INTO orders (tenant_id, id, worker, note) VALUES (?, ?, ?, ?), (?, ?, ?, ?) , (?, ?, ?, ?)"
                                + " ON CONFLICT DO NOTHING" + world.dice().of("", " RETURNING id, note"),
                        world.anyTenant(),
                        world.rowId(),
                        world.owner(),
                        note(world),
                        world.anyTenant(),
                        world.rowId(),
                        world.owner(),
                        note(world),
                        world.anyTenant(),
                        world.rowId(),
                        world.owner(),
                        note(world));
            case 1 ->
                world.say(
                                Form.INSERT_ROWS_OF_SEVERAL_KEYS,
                                "INSERT INTO users AS u (id, worker, tenant_id, age) VALUES (?, ?, ?, DEFAULT), (?, ?, ?, ?)"
                                        + " ON CONFLICT (tenant_id, id) DO UPDATE SET age = coalesce(u.age, 0) + 1"
                                        + " RETURNING u.tenant_id, u.age",
                                world.rowId(),
                                world.owner(),
                                world.anyTenant(),
                                world.rowId(),
                                world.owner(),
                                world.anyTenant(),
                                age(world))
                        .inOrder();
            case 2 ->
                // Whatever else happens, the last row breaks a rule.
                world.say(
                        Form.INSERT_ROWS_OF_SEVERAL_KEYS,
                        "INSERT INTO orders (note, tenant_id, id, worker, total) VALUES (?, ?, ?, ?, 1), (?, ?, ?, ?, -5)"
                                + " ON CONFLICT DO NOTHING RETURNING *",
                        note(world),
                        world.anyTenant(),
                        world.rowId(),
                        world.owner(),
                        note(world),
                        world.anyTenant(),
                        world.rowId(),
                        world.owner());
            default ->
                world.say(
                        Form.INSERT_ROWS_OF_SEVERAL_KEYS,
                        "INSERT INTO archive.orders VALUES (?, ?, ?, ?), (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                        world.anyTenant(),
                        amount(world),
                        world.rowId(),
                        world.owner(),
                        world.anyTenant(),
                        amount(world),
                        world.rowId(),
                        world.owner());
        };
    }

    private static Request upsertNothing(World world) {
        return world.say(
                Form.UPSERT_NOTHING,
                "INSERT INTO users (id, tenant_id, worker, email) VALUES (?, ?, ?, ?) ON CONFLICT "
                        + world.dice().of("", "(tenant_id, id) ", "ON CONSTRAINT users_pkey ")
                        + "DO NOTHING" + world.dice().of("", " RETURNING id"),
                world.rowId(),
                world.tenant(),
                world.owner(),
                email(world));
    }

    private static Request upsertUpdate(World world) {
        return world.say(
                Form.UPSERT_UPDATE,
                "INSERT INTO orders AS o (id, tenant_id, worker, total, note) VALUES (?, ?, ?, ?, ?)"
                        + " ON CONFLICT (tenant_id, id) DO UPDATE SET total = "
                        + world.dice().of("EXCLUDED.total", "o.total + excluded.total", "0")
                        + ", note = EXCLUDED.note" + world.dice().of("", " WHERE o.status = 'new'")
                        + world.dice().of("", " RETURNING o.id, o.total"),
                world.rowId(),
                world.tenant(),
                world.owner(),
                amount(world),
                note(world));
    }

    private static Request updateByKey(World world) {
        return switch (world.dice().below(3)) {
            case 0 ->
                world.say(
                        Form.UPDATE_BY_KEY,
                        "UPDATE orders SET total = total + ?, status = 'paid' WHERE tenant_id = ?",
                        Value.numeric("0.5"),
                        world.tenant());
            case 1 ->
                world.say(
                        Form.UPDATE_BY_KEY,
                        "UPDATE ONLY users AS u SET age = age + 1 WHERE u.tenant_id = ? RETURNING u.id, u.age",
                        world.tenant());
            default ->
                world.say(
                        Form.UPDATE_BY_KEY,
                        "UPDATE archive.orders SET (status, note) = ('seen', ?) WHERE \"tenant_id\" = ?",
                        note(world),
                        world.tenant());
        };
    }

    private static Request updateByKeyAndMore(World world) {
        return switch (world.dice().below(3)) {
            case 0 ->
                world.say(
                        Form.UPDATE_BY_KEY_AND_MORE,
                        "UPDATE " + table(world, "orders") + " SET note = ? WHERE id = ? AND tenant_id = ?",
                        note(world),
                        world.rowId(),
                        world.tenant());
            case 1 ->
                world.say(
                        Form.UPDATE_BY_KEY_AND_MORE,
                        "UPDATE orders SET user_id = ? WHERE tenant_id = ? AND (id = ? OR id = ?) RETURNING *",
                        world.rowId(),
                        world.tenant(),
                        world.rowId(),
                        world.rowId());
            default ->
                world.say(
                        Form.UPDATE_BY_KEY_AND_MORE,
                        "UPDATE users SET active = NOT active, email = ? WHERE tenant_id = ? AND id < ? AND id > ?",
                        email(world),
                        world.tenant(),
                        world.rowId(),
                        world.rowId());
        };
    }

    private static Request delete(World world) {
        return switch (world.dice().below(4)) {
            case 0 ->
                world.say(
                        Form.DELETE_BY_KEY_AND_MORE,
                        "DELETE FROM orders WHERE tenant_id = ? AND id = ? RETURNING id, note",
                        world.tenant(),
                        world.rowId());
            case 1 ->
                world.say(
                        Form.DELETE_BY_KEY_AND_MORE,
                        "DELETE FROM public.users AS u WHERE u.id = ? AND u.tenant_id = ?",
                        world.rowId(),
                        world.tenant());
            case 2 ->
                world.say(
                        Form.DELETE_BY_KEY_AND_MORE,
                        "DELETE FROM archive.orders WHERE tenant_id = ? AND id IN (?, ?, ?)",
                        world.tenant(),
                        world.rowId(),
                        world.rowId(),
                        world.rowId());
            default ->
                world.say(
                        Form.DELETE_BY_KEY_AND_MORE,
                        "DELETE FROM orders WHERE tenant_id = ? AND total > ?",
                        world.tenant(),
                        Value.numeric("90"));
        };
    }

    private static Request updateByList(World world) {
        return world.say(
                Form.UPDATE_BY_LIST,
                "UPDATE orders SET status = 'listed' WHERE tenant_id IN (?, ?) AND id = ?"
                        + world.dice().of("", " RETURNING tenant_id, id"),
                world.anyTenant(),
                world.anyTenant(),
                world.rowId());
    }

    private static Request scatterUpdate(World world) {
        return world.dice().percent(60)
                ? world.say(
                        Form.SCATTER_UPDATE,
                        "UPDATE orders SET total = total + 1 WHERE " + world.mine() + " AND id = ?"
                                + world.dice().of("", " RETURNING id, total"),
                        world.mineValue(),
                        world.rowId())
                : world.say(
                        Form.SCATTER_UPDATE,
                        "UPDATE events SET weight = weight + 1 WHERE " + world.mine() + " AND kind = ?",
                        world.mineValue(),
                        Value.int2(world.dice().below(5)));
    }

    private static Request scatterDelete(World world) {
        String table = world.dice().of("orders", "archive.orders", "users");
        return world.say(
                Form.SCATTER_DELETE,
                "DELETE FROM " + table + " WHERE " + world.mine() + " AND id = ?"
                        + world.dice().of("", " RETURNING id"),
                world.mineValue(),
                world.rowId());
    }

    private static Request deeper(World world) {
        Value tenant = world.tenant();
        return switch (world.dice().below(5)) {
            case 0 ->
                world.say(
                        Form.DEEPER,
                        "INSERT INTO archive.orders (tenant_id, id, worker, total) SELECT tenant_id, id, worker, total"
                                + " FROM orders WHERE tenant_id = ? ON CONFLICT DO NOTHING",
                        tenant);
            case 1 ->
                world.say(
                        Form.DEEPER,
                        "UPDATE orders o SET note = 'of ' || u.id FROM users u WHERE u.tenant_id = o.tenant_id"
                                + " AND u.id = o.user_id AND o.tenant_id = ?",
                        tenant);
            case 2 ->
                world.say(
                        Form.DEEPER,
                        "DELETE FROM archive.orders a USING orders o WHERE o.tenant_id = a.tenant_id AND o.id = a.id"
                                + " AND a.tenant_id = ?",
                        tenant);
            case 3 ->
                world.say(
                        Form.DEEPER,
                        "WITH gone AS (DELETE FROM orders WHERE tenant_id = ? AND id = ? RETURNING tenant_id, id, worker)"
                                + " SELECT count(*) FROM gone",
                        tenant,
                        world.rowId());
            default ->
                world.say(
                        Form.DEEPER,
                        "INSERT INTO orders (tenant_id, id, worker) SELECT ?, ?::int, ?::int ON CONFLICT DO NOTHING",
                        tenant,
                        world.rowId(),
                        world.owner());
        };
    }
}
