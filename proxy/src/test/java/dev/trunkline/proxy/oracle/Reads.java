package dev.trunkline.proxy.oracle;

import static dev.trunkline.proxy.oracle.Menu.Use.LOCK;
import static dev.trunkline.proxy.oracle.Menu.Use.READ;
import static dev.trunkline.proxy.oracle.Menu.Use.READ_TRANSLATED;

/** Reads of one table. */
final class Reads {

    private static final String TENANT = "tenant_id";

    private Reads() {}

    static void addTo(Menu menu) {
        menu.add(READ_TRANSLATED, 10, Reads::point);
        menu.add(READ_TRANSLATED, 6, Reads::byTenant);
        menu.add(READ_TRANSLATED, 6, Reads::byList);
        menu.add(READ_TRANSLATED, 4, Reads::byOr);
        menu.add(READ_TRANSLATED, 4, Reads::byAnd);
        menu.add(READ_TRANSLATED, 5, Reads::withCast);
        menu.add(READ_TRANSLATED, 4, Reads::byAlias);
        menu.add(READ_TRANSLATED, 4, Reads::quoted);
        menu.add(READ_TRANSLATED, 3, Reads::otherSchema);
        menu.add(READ, 5, Reads::byBigint);
        menu.add(READ, 4, Reads::bySmallint);
        menu.add(READ, 4, Reads::byUuid);
        menu.add(READ, 4, Reads::byPlainText);
        menu.add(READ, 1, Reads::nothing);
        menu.add(READ, 1, Reads::nullKey);
        menu.add(READ_TRANSLATED, 4, Reads::aggregate);
        menu.add(READ, 8, Reads::scatter);
        menu.add(LOCK, 2, Reads::forUpdate);
        menu.add(READ, 2, Reads::catalog);
        menu.add(READ, 3, Reads::withoutTable);
    }

    /** A name of the table orders. */
    static String orders(World world) {
        return world.dice()
                .of(
                        "orders",
                        "orders",
                        "public.orders",
                        "\"orders\"",
                        "\"public\".\"orders\"",
                        "Public.ORDERS",
                        "ONLY orders");
    }

    private static Request point(World world) {
        String columns = world.dice().of("*", "id, total, note", "orders.*", "status, at", "tenant_id, id, total * 2");
        String and =
                world.dice().of("tenant_id = ? AND id = ?", "? = tenant_id AND (id) = ?", "(tenant_id = ?) AND ? = id");
        return world.say(
                Form.POINT_READ, "SELECT " + columns + " FROM orders WHERE " + and, world.tenant(), world.rowId());
    }

    private static Request byTenant(World world) {
        return switch (world.dice().below(4)) {
            case 0 ->
                world.say(
                                Form.READ_BY_TENANT,
                                "SELECT id, note FROM orders WHERE tenant_id = ? ORDER BY id DESC LIMIT ?",
                                world.tenant(),
                                Value.int8(world.dice().below(6)))
                        .inOrder();
            case 1 ->
                world.say(Form.READ_BY_TENANT, "SELECT * FROM users WHERE tenant_id = ? ORDER BY id", world.tenant())
                        .inOrder();
            case 2 ->
                world.say(
                        Form.READ_BY_TENANT,
                        "SELECT DISTINCT status FROM " + orders(world) + " WHERE tenant_id = ?",
                        world.tenant());
            default ->
                world.say(
                        Form.READ_BY_TENANT, "SELECT * FROM " + orders(world) + " WHERE tenant_id = ?", world.tenant());
        };
    }

    private static Request byList(World world) {
        return switch (world.dice().below(6)) {
            case 0 ->
                world.say(
                        Form.READ_BY_LIST,
                        "SELECT * FROM orders WHERE tenant_id IN (?, ?, ?)",
                        world.tenant(),
                        world.tenant(),
                        world.anyTenant());
            case 1 ->
                world.say(
                        Form.READ_BY_LIST,
                        "SELECT email, age FROM users WHERE tenant_id IN (?, NULL, ?) AND age > ?",
                        world.anyTenant(),
                        world.anyTenant(),
                        Value.int2(world.dice().below(60)));
            case 2 ->
                world.say(
                        Form.READ_BY_LIST,
                        "SELECT * FROM events WHERE id IN (?, ?, ?, ?)",
                        world.eventId(),
                        world.eventId(),
                        world.eventId(),
                        world.eventId());
            case 3 ->
                world.say(Form.READ_BY_LIST, "SELECT id FROM docs WHERE id IN (?, ?)", world.docId(), world.docId());
            case 4 ->
                world.say(
                        Form.READ_BY_LIST,
                        "SELECT * FROM events WHERE id = ANY (ARRAY[?::bigint, ?::bigint])",
                        world.eventId(),
                        world.eventId());
            default ->
                world.say(
                        Form.READ_BY_LIST,
                        "SELECT * FROM labels WHERE (code, n) IN ((?, ?), (?, ?))",
                        world.label(),
                        Value.int4(world.dice().below(9)),
                        world.label(),
                        Value.int4(world.dice().below(9)));
        };
    }

    private static Request byOr(World world) {
        return switch (world.dice().below(3)) {
            case 0 ->
                world.say(
                        Form.READ_BY_OR,
                        "SELECT * FROM orders WHERE tenant_id = ? OR tenant_id = ?",
                        world.tenant(),
                        world.anyTenant());
            case 1 ->
                world.say(
                        Form.READ_BY_OR,
                        "SELECT id FROM orders WHERE (tenant_id = ? AND id < ?) OR (total > ? AND tenant_id = ?)",
                        world.anyTenant(),
                        world.rowId(),
                        Value.numeric(world.dice().below(90) + ".50"),
                        world.anyTenant());
            default ->
                world.say(
                        Form.READ_BY_OR,
                        "SELECT * FROM readings WHERE sensor = ? OR (sensor = ? AND taken > ?)",
                        world.sensor(),
                        world.sensor(),
                        world.rowId());
        };
    }

    private static Request byAnd(World world) {
        return switch (world.dice().below(4)) {
            case 0 ->
                world.say(
                        Form.READ_BY_AND,
                        "SELECT * FROM orders WHERE tenant_id = ? AND (id < ? OR note IS NULL) AND NOT status = 'x'",
                        world.tenant(),
                        world.rowId());
            case 1 ->
                world.say(
                        Form.READ_BY_AND,
                        "SELECT * FROM orders WHERE tenant_id IN (?, ?) AND tenant_id IN (?, ?)",
                        world.anyTenant(),
                        world.anyTenant(),
                        world.anyTenant(),
                        world.anyTenant());
            case 2 ->
                world.say(
                        Form.READ_BY_AND,
                        "SELECT CASE WHEN tenant_id = ? THEN 1 ELSE 2 END FROM orders WHERE tenant_id = ?",
                        world.anyTenant(),
                        world.tenant());
            default ->
                world.say(
                        Form.READ_BY_AND,
                        "SELECT id FROM orders WHERE id BETWEEN ? AND ? AND note LIKE 'n%' AND tenant_id = ?",
                        world.rowId(),
                        world.rowId(),
                        world.tenant());
        };
    }

    private static Request withCast(World world) {
        String key = world.dice()
                .of(
                        "?::text",
                        "?::varchar",
                        "CAST(? AS varchar)",
                        "CAST(? AS text)::varchar",
                        "(?::character varying)");
        return switch (world.dice().below(4)) {
            case 0 -> world.say(Form.READ_WITH_CAST, "SELECT * FROM events WHERE id = ?::bigint", world.eventId());
            case 1 ->
                world.say(Form.READ_WITH_CAST, "SELECT title FROM docs WHERE id = CAST(? AS uuid)", world.docId());
            default ->
                world.say(Form.READ_WITH_CAST, "SELECT id, note FROM orders WHERE tenant_id = " + key, world.tenant());
        };
    }

    private static Request byAlias(World world) {
        return switch (world.dice().below(3)) {
            case 0 ->
                world.say(
                        Form.READ_BY_ALIAS,
                        "SELECT o.id AS number, o.total t FROM orders AS o WHERE o.tenant_id = ? AND o.id > ?",
                        world.tenant(),
                        world.rowId());
            case 1 ->
                world.say(
                        Form.READ_BY_ALIAS,
                        "SELECT \"O\".note FROM public.orders \"O\" WHERE \"O\".tenant_id = ?",
                        world.tenant());
            default ->
                world.say(Form.READ_BY_ALIAS, "SELECT x FROM users AS u (t, x, w, e) WHERE t = ?", world.tenant());
        };
    }

    private static Request quoted(World world) {
        String column = world.dice().of("\"tenant_id\"", "TENANT_ID", "orders.\"tenant_id\"", "U&\"tenant\\005fid\"");
        String table = world.dice().of("orders", "\"orders\"", "public.orders", "Public.\"orders\"");
        return world.say(
                Form.READ_QUOTED, "SELECT \"id\", NOTE FROM " + table + " WHERE " + column + " = ?", world.tenant());
    }

    private static Request otherSchema(World world) {
        return world.say(
                Form.READ_OTHER_SCHEMA,
                "SELECT status, total FROM archive.orders WHERE " + world.dice().of("", "archive.orders.", "orders.")
                        + TENANT + " = ?",
                world.tenant());
    }

    private static Request byBigint(World world) {
        String columns = world.dice().of("*", "payload, weight", "id");
        return world.say(Form.READ_BY_BIGINT, "SELECT " + columns + " FROM events WHERE id = ?", world.eventId());
    }

    private static Request bySmallint(World world) {
        return world.say(
                        Form.READ_BY_SMALLINT, "SELECT * FROM readings WHERE sensor = ? ORDER BY taken", world.sensor())
                .inOrder();
    }

    private static Request byUuid(World world) {
        return world.say(Form.READ_BY_UUID, "SELECT title, body, raw FROM docs WHERE ? = id", world.docId());
    }

    private static Request byPlainText(World world) {
        return world.say(Form.READ_BY_PLAIN_TEXT, "SELECT code, n FROM labels WHERE code = ?", world.label());
    }

    private static Request nothing(World world) {
        return switch (world.dice().below(3)) {
            case 0 ->
                world.say(
                        Form.READ_NOTHING,
                        "SELECT * FROM events WHERE id = ? AND id = ?",
                        Value.int8(1),
                        Value.int8(2));
            case 1 ->
                world.say(Form.READ_NOTHING, "SELECT id, payload FROM events WHERE id = ? AND false", world.eventId());
            default ->
                world.say(Form.READ_NOTHING, "SELECT * FROM labels WHERE code = ?", Value.text("nobody has this"));
        };
    }

    private static Request nullKey(World world) {
        return switch (world.dice().below(3)) {
            case 0 ->
                world.say(Form.READ_WITH_NULL_KEY, "SELECT * FROM events WHERE id = ?", Value.nothing(Value.Type.INT8));
            case 1 -> world.say(Form.READ_WITH_NULL_KEY, "SELECT * FROM users WHERE tenant_id IS NULL");
            default ->
                world.say(
                        Form.READ_WITH_NULL_KEY,
                        "SELECT * FROM orders WHERE tenant_id = ?",
                        Value.nothing(Value.Type.VARCHAR));
        };
    }

    private static Request aggregate(World world) {
        return switch (world.dice().below(3)) {
            case 0 ->
                world.say(
                        Form.AGGREGATE_ON_ONE_SHARD,
                        "SELECT count(*), sum(total), max(note) FROM orders WHERE tenant_id = ?",
                        world.tenant());
            case 1 ->
                world.say(
                                Form.AGGREGATE_ON_ONE_SHARD,
                                "SELECT status, count(*) AS c FROM orders WHERE tenant_id = ? GROUP BY status"
                                        + " HAVING count(*) > ? ORDER BY status",
                                world.tenant(),
                                Value.int8(world.dice().below(3)))
                        .inOrder();
            default ->
                world.say(
                                Form.AGGREGATE_ON_ONE_SHARD,
                                "SELECT id, row_number() OVER (ORDER BY id) FROM orders WHERE tenant_id = ? ORDER BY id"
                                        + " OFFSET 1 ROWS FETCH FIRST 3 ROWS ONLY",
                                world.tenant())
                        .inOrder();
        };
    }

    private static Request scatter(World world) {
        String table = world.dice().of("orders", "users", "events", "readings", "docs", "labels", "archive.orders");
        return switch (world.dice().below(4)) {
            case 0 ->
                world.say(
                        Form.SCATTER_READ,
                        "SELECT id, total FROM orders WHERE " + world.mine() + " AND total > ?",
                        world.mineValue(),
                        Value.numeric(world.dice().below(80) + ".25"));
            case 1 ->
                world.say(
                        Form.SCATTER_READ,
                        "SELECT * FROM events WHERE " + world.mine() + " AND (kind = ? OR id > ?)",
                        world.mineValue(),
                        Value.int2(world.dice().below(5)),
                        world.eventId());
            default ->
                world.say(Form.SCATTER_READ, "SELECT * FROM " + table + " WHERE " + world.mine(), world.mineValue());
        };
    }

    private static Request forUpdate(World world) {
        return world.say(
                Form.READ_FOR_UPDATE,
                "SELECT id, total FROM orders WHERE tenant_id = ? AND id = ? FOR "
                        + world.dice().of("UPDATE", "NO KEY UPDATE", "SHARE"),
                world.tenant(),
                world.rowId());
    }

    private static Request catalog(World world) {
        return switch (world.dice().below(4)) {
            case 0 ->
                world.say(
                                Form.READ_CATALOG,
                                "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid ="
                                        + " 'public.orders'::regclass AND attnum > 0 ORDER BY attnum")
                        .inOrder();
            case 1 ->
                world.say(
                                Form.READ_CATALOG,
                                "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = ?"
                                        + " AND table_schema = 'public' ORDER BY ordinal_position",
                                Value.text("users"))
                        .inOrder();
            case 2 ->
                world.say(
                        Form.READ_CATALOG,
                        "SELECT n.nspname, c.relname, c.relkind FROM pg_catalog.pg_class c LEFT JOIN"
                                + " pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p')"
                                + " AND n.nspname IN ('public', 'archive')");
            default -> world.say(Form.READ_CATALOG, "SELECT typname FROM pg_type WHERE oid = ?::oid", Value.int4(1043));
        };
    }

    private static Request withoutTable(World world) {
        return switch (world.dice().below(6)) {
            case 0 -> world.say(Form.READ_WITHOUT_TABLE, "SELECT 1");
            case 1 ->
                world.say(Form.READ_WITHOUT_TABLE, "SELECT ?::int + ?::int AS sum", Value.int4(2), Value.int4(40));
            case 2 ->
                world.say(Form.READ_WITHOUT_TABLE, "VALUES (1, 'a'), (2, 'b')").inOrder();
            case 3 ->
                world.say(Form.READ_WITHOUT_TABLE, "SELECT current_user, current_schema(), upper(?)", Value.text("ä"));
            case 4 -> world.say(Form.READ_WITHOUT_TABLE, "SELECT");
            default ->
                world.say(
                        Form.READ_WITHOUT_TABLE,
                        "SELECT g FROM generate_series(1, ?::int) AS g",
                        Value.int4(world.dice().below(5)));
        };
    }
}
