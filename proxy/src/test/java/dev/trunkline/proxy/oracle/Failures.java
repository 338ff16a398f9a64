package dev.trunkline.proxy.oracle;

import static dev.trunkline.proxy.oracle.Menu.Use.LOCK;
import static dev.trunkline.proxy.oracle.Menu.Use.READ;
import static dev.trunkline.proxy.oracle.Menu.Use.READ_TRANSLATED;
import static dev.trunkline.proxy.oracle.Menu.Use.WRITE_EVENT;
import static dev.trunkline.proxy.oracle.Menu.Use.WRITE_SEVERAL_SHARDS;
import static dev.trunkline.proxy.oracle.Menu.Use.WRITE_TENANT;

/** Statements that fail, mostly: by a server's verdict, or by the proxy's own. */
final class Failures {

    private Failures() {}

    static void addTo(Menu menu) {
        menu.add(WRITE_TENANT, 2, Failures::uniqueViolation);
        menu.add(WRITE_TENANT, 3, Failures::otherViolation);
        menu.add(READ_TRANSLATED, 2, Failures::divisionByZero);
        menu.add(WRITE_SEVERAL_SHARDS, 1, Failures::divisionByZeroEverywhere);
        menu.add(READ, 2, Failures::syntaxError);
        menu.add(READ, 3, Failures::unknownName);
        menu.add(WRITE_EVENT, 1, Failures::unknownColumn);
        menu.add(READ_TRANSLATED, 3, Failures::badValue);
        menu.add(WRITE_TENANT, 1, Failures::nullKey);
        menu.add(READ_TRANSLATED, 1, Failures::unmappedRead);
        menu.add(LOCK, 1, Failures::unmappedWrite);
    }

    private static Request uniqueViolation(World world) {
        Value tenant = world.tenant();
        Value id = world.rowId();
        return world.say(
                Form.UNIQUE_VIOLATION,
                "INSERT INTO users (tenant_id, id, worker) VALUES (?, ?, ?), (?, ?, ?)",
                tenant,
                id,
                world.owner(),
                tenant,
                id,
                world.owner());
    }

    private static Request otherViolation(World world) {
        return switch (world.dice().below(4)) {
            case 0 ->
                world.say(
                        Form.OTHER_VIOLATION,
                        "INSERT INTO orders (tenant_id, id, worker, total) VALUES (?, ?, ?, ?)",
                        world.tenant(),
                        world.rowId(),
                        world.owner(),
                        Value.numeric("-1"));
            case 1 ->
                world.say(
                        Form.OTHER_VIOLATION,
                        "INSERT INTO orders (tenant_id, id) VALUES (?, ?)",
                        world.tenant(),
                        world.rowId());
            case 2 ->
                world.say(
                        Form.OTHER_VIOLATION,
                        "UPDATE orders SET note = repeat('x', ?) WHERE tenant_id = ?",
                        Value.int4(30),
                        world.tenant());
            default ->
                world.say(
                        Form.OTHER_VIOLATION,
                        "UPDATE orders SET total = total + 99999999 WHERE tenant_id = ? AND id = ?",
                        world.tenant(),
                        world.rowId());
        };
    }

    private static Request divisionByZero(World world) {
        return world.say(
                Form.DIVISION_BY_ZERO,
                "SELECT id, total / (id - ?::int) FROM orders WHERE tenant_id = ?",
                world.rowId(),
                world.tenant());
    }

    private static Request divisionByZeroEverywhere(World world) {
        return world.dice().percent(50)
                ? world.say(
                        Form.DIVISION_BY_ZERO,
                        "UPDATE orders SET total = 1 / (id - ?::int) + 1 WHERE " + world.mine(),
                        world.rowId(),
                        world.mineValue())
                : world.say(
                        Form.DIVISION_BY_ZERO,
                        "UPDATE settings SET n = n / (n - ?) WHERE " + world.mine(),
                        Value.int4(3),
                        world.mineValue());
    }

    private static Request syntaxError(World world) {
        return world.say(
                Form.SYNTAX_ERROR,
                world.dice()
                        .of(
                                "SELEC * FROM orders",
                                "SELECT * FORM orders WHERE tenant_id = 'x'",
                                "SELECT * FROM orders WHERE",
                                "INSERT INTO orders (id tenant_id) VALUES (1)",
                                "UPDATE orders SET WHERE id = 1",
                                "SELECT 'no end",
                                "SELECT (1",
                                "DELETE orders"));
    }

    private static Request unknownName(World world) {
        return world.say(
                Form.UNKNOWN_NAME,
                world.dice()
                        .of(
                                "SELECT * FROM nowhere",
                                "SELECT nothing FROM orders",
                                "SELECT * FROM nowhere.orders",
                                "SELECT no_such_function(1)",
                                "SELECT id FROM events WHERE no_column = 1",
                                "UPDATE nowhere SET a = 1",
                                "SELECT x.id FROM events e"));
    }

    private static Request unknownColumn(World world) {
        return world.say(Form.UNKNOWN_NAME, "INSERT INTO events (id, no_column) VALUES (?, 1)", world.eventId());
    }

    private static Request badValue(World world) {
        return switch (world.dice().below(8)) {
            case 0 -> world.say(Form.BAD_VALUE, "SELECT * FROM events WHERE id = 'abc'");
            case 1 -> world.say(Form.BAD_VALUE, "SELECT * FROM docs WHERE id = 'not a uuid'");
            case 2 -> world.say(Form.BAD_VALUE, "SELECT * FROM orders WHERE tenant_id = 5");
            case 3 -> world.say(Form.BAD_VALUE, "SELECT 'x'::int FROM orders WHERE tenant_id = ?", world.tenant());
            case 4 -> world.say(Form.BAD_VALUE, "SELECT * FROM readings WHERE sensor = 99999999999999999999");
            case 5 -> world.say(Form.BAD_VALUE, "SELECT * FROM readings WHERE sensor = 40000");
            case 6 -> world.say(Form.BAD_VALUE, "SELECT * FROM events WHERE id = 4.5");
            default -> world.say(Form.BAD_VALUE, "SELECT * FROM events WHERE id = '9223372036854775808'");
        };
    }

    private static Request nullKey(World world) {
        return world.say(
                Form.NULL_KEY,
                "INSERT INTO orders (tenant_id, id, worker) VALUES (?, ?, ?)",
                Value.nothing(Value.Type.VARCHAR),
                world.rowId(),
                world.owner());
    }

    private static Request unmappedRead(World world) {
        return world.say(
                Form.UNMAPPED_KEY,
                "SELECT * FROM orders WHERE tenant_id IN (?, ?)",
                world.anyTenant(),
                Value.text("nobody " + world.dice().below(1000)));
    }

    private static Request unmappedWrite(World world) {
        return world.say(
                Form.UNMAPPED_KEY,
                world.dice()
                        .of(
                                "UPDATE orders SET note = 'x' WHERE tenant_id = ?",
                                "DELETE FROM users WHERE tenant_id = ?",
                                "INSERT INTO orders (tenant_id, id, worker) VALUES (?, 1, 1)"),
                Value.text("nobody " + world.dice().below(1000)));
    }
}
