package dev.trunkline.proxy.oracle;

import static dev.trunkline.proxy.oracle.Menu.Use.READ;
import static dev.trunkline.proxy.oracle.Menu.Use.READ_TRANSLATED;

/** Reads of several tables: joins, subqueries, common table expressions. */
final class Joins {

    private Joins() {}

    static void addTo(Menu menu) {
        menu.add(READ_TRANSLATED, 6, Joins::withOmnisharded);
        menu.add(READ_TRANSLATED, 6, Joins::byKey);
        menu.add(READ, 3, Joins::withoutKey);
        menu.add(READ_TRANSLATED, 5, Joins::subquery);
        menu.add(READ_TRANSLATED, 2, Joins::deeper);
    }

    private static Request withOmnisharded(World world) {
        return switch (world.dice().below(5)) {
            case 0 ->
                world.say(
                        Form.JOIN_OMNISHARDED,
                        "SELECT o.id, t.name FROM orders o JOIN tenants t ON t.id = o.tenant_id WHERE o.tenant_id = ?",
                        world.tenant());
            case 1 ->
                world.say(
                        Form.JOIN_OMNISHARDED,
                        "SELECT o.id, t.name FROM tenants t LEFT JOIN orders o ON o.tenant_id = t.id AND o.id = ?"
                                + " WHERE o.tenant_id = ?",
                        world.rowId(),
                        world.tenant());
            case 2 ->
                world.say(
                        Form.JOIN_OMNISHARDED,
                        "SELECT e.id, s.value FROM events e, settings s WHERE e.id = ? AND s.worker = e.worker",
                        world.eventId());
            case 3 ->
                world.say(
                        Form.JOIN_OMNISHARDED,
                        "SELECT u.email FROM users u WHERE u.tenant_id = ? AND EXISTS"
                                + " (SELECT 1 FROM tenants t WHERE t.id = u.tenant_id AND t.plan > ?)",
                        world.tenant(),
                        Value.int2(world.dice().below(4)));
            default ->
                world.say(
                        Form.JOIN_OMNISHARDED,
                        "SELECT o.id, t.name, t.parent_tenant_id FROM orders o JOIN tenants t ON t.id = o.tenant_id"
                                + " WHERE o." + world.mine(),
                        world.mineValue());
        };
    }

    private static Request byKey(World world) {
        return switch (world.dice().below(5)) {
            case 0 ->
                world.say(
                        Form.JOIN_BY_KEY,
                        "SELECT o.id, u.email FROM orders o JOIN users u ON u.tenant_id = o.tenant_id"
                                + " AND u.id = o.user_id WHERE o.tenant_id = ?",
                        world.tenant());
            case 1 ->
                world.say(
                        Form.JOIN_BY_KEY,
                        "SELECT o.id, u.email FROM orders o LEFT JOIN users u ON o.tenant_id = u.tenant_id"
                                + " AND o.user_id = u.id WHERE o.tenant_id = ? AND o.id < ?",
                        world.tenant(),
                        world.rowId());
            case 2 ->
                world.say(
                        Form.JOIN_BY_KEY,
                        "SELECT orders.id, users.age FROM orders, users WHERE orders.tenant_id = users.tenant_id"
                                + " AND users.tenant_id = ? AND users.id = orders.user_id",
                        world.tenant());
            case 3 -> {
                Value tenant = world.tenant();
                yield world.say(
                        Form.JOIN_BY_KEY,
                        "SELECT o.id, u.id FROM orders o JOIN users u ON u.tenant_id = ? AND u.id = o.user_id"
                                + " WHERE o.tenant_id = ?",
                        tenant,
                        tenant);
            }
            default ->
                world.say(
                        Form.JOIN_BY_KEY,
                        "SELECT tenant_id, o.id, email FROM orders o JOIN users u USING (tenant_id)"
                                + " WHERE o.tenant_id = ? AND o.user_id = u.id",
                        world.tenant());
        };
    }

    private static Request withoutKey(World world) {
        return world.dice().percent(50)
                ? world.say(
                        Form.JOIN_WITHOUT_KEY,
                        "SELECT o.id, o.total, u.email FROM orders o JOIN users u ON u.tenant_id = o.tenant_id"
                                + " AND u.id = o.user_id WHERE o." + world.mine(),
                        world.mineValue())
                : world.say(
                        Form.JOIN_WITHOUT_KEY,
                        "SELECT u.email FROM users u WHERE u." + world.mine()
                                + " AND EXISTS (SELECT 1 FROM orders o WHERE o.tenant_id = u.tenant_id"
                                + " AND o.user_id = u.id)",
                        world.mineValue());
    }

    private static Request subquery(World world) {
        Value tenant = world.tenant();
        return switch (world.dice().below(6)) {
            case 0 ->
                world.say(
                        Form.SUBQUERY_BY_KEY,
                        "SELECT id, total FROM orders WHERE tenant_id = ? AND user_id IN"
                                + " (SELECT id FROM users WHERE tenant_id = ? AND age > ?)",
                        tenant,
                        tenant,
                        Value.int2(world.dice().below(60)));
            case 1 ->
                world.say(
                        Form.SUBQUERY_BY_KEY,
                        "SELECT o.id FROM orders o WHERE o.tenant_id = ? AND EXISTS"
                                + " (SELECT 1 FROM users u WHERE u.tenant_id = o.tenant_id AND u.id = o.user_id)",
                        tenant);
            case 2 ->
                world.say(
                        Form.SUBQUERY_BY_KEY,
                        "SELECT u.id, (SELECT count(*) FROM orders o WHERE o.tenant_id = u.tenant_id"
                                + " AND o.user_id = u.id) FROM users u WHERE u.tenant_id = ?",
                        tenant);
            case 3 ->
                world.say(
                        Form.SUBQUERY_BY_KEY,
                        "SELECT s.id, s.t FROM (SELECT id, tenant_id, total * 2 AS t FROM orders) s"
                                + " WHERE s.tenant_id = ? AND s.t > 10",
                        tenant);
            case 4 ->
                world.say(
                        Form.SUBQUERY_BY_KEY,
                        "WITH mine AS (SELECT * FROM orders WHERE tenant_id = ?) SELECT count(*), min(id) FROM mine",
                        tenant);
            default ->
                world.say(
                        Form.SUBQUERY_BY_KEY,
                        "SELECT id, 'order' AS kind FROM orders WHERE tenant_id = ? UNION ALL"
                                + " SELECT id, 'user' FROM users WHERE tenant_id = ?",
                        tenant,
                        tenant);
        };
    }

    private static Request deeper(World world) {
        Value tenant = world.tenant();
        return switch (world.dice().below(4)) {
            case 0 ->
                world.say(
                        Form.DEEPER,
                        "SELECT o.id, t.name FROM orders o JOIN tenants t ON t.id = o.tenant_id WHERE t.id = ?",
                        tenant);
            case 1 ->
                world.say(Form.DEEPER, "SELECT id FROM orders NATURAL JOIN (SELECT ?::varchar AS tenant_id) k", tenant);
            case 2 ->
                world.say(
                        Form.DEEPER,
                        "SELECT u.email, l.n FROM users u, LATERAL (SELECT count(*) AS n FROM orders o"
                                + " WHERE o.tenant_id = u.tenant_id AND o.user_id = u.id) l WHERE u.tenant_id = ?",
                        tenant);
            default ->
                world.say(
                        Form.DEEPER,
                        "SELECT a.id, b.id FROM orders a JOIN archive.orders b ON a.tenant_id = b.tenant_id"
                                + " AND a.id = b.id WHERE b.tenant_id = ?",
                        tenant);
        };
    }
}
