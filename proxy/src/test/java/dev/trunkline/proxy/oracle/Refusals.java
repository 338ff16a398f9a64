package dev.trunkline.proxy.oracle;

import static dev.trunkline.proxy.oracle.Menu.Use.ALONE;
import static dev.trunkline.proxy.oracle.Menu.Use.READ;
import static dev.trunkline.proxy.oracle.Menu.Use.WRITE_SEVERAL_SHARDS;

/** Statements that a proxy may refuse: right or refused, never wrong. */
final class Refusals {

    private Refusals() {}

    static void addTo(Menu menu) {
        menu.add(READ, 3, Refusals::needsMerge);
        menu.add(WRITE_SEVERAL_SHARDS, 1, Refusals::movesOrReads);
        menu.add(ALONE, 1, Refusals::pinning);
    }

    private static Request needsMerge(World world) {
        return switch (world.dice().below(8)) {
            case 0 ->
                world.say(
                                Form.NEEDS_MERGE,
                                "SELECT id, payload FROM events WHERE " + world.mine() + " ORDER BY id",
                                world.mineValue())
                        .inOrder();
            case 1 ->
                world.say(Form.NEEDS_MERGE, "SELECT count(*) FROM orders WHERE " + world.mine(), world.mineValue());
            case 2 ->
                world.say(
                        Form.NEEDS_MERGE,
                        "SELECT status, sum(total) FROM orders WHERE " + world.mine() + " GROUP BY status",
                        world.mineValue());
            case 3 ->
                world.say(
                        Form.NEEDS_MERGE, "SELECT DISTINCT kind FROM events WHERE " + world.mine(), world.mineValue());
            case 4 ->
                world.say(
                        Form.NEEDS_MERGE,
                        "SELECT id FROM events WHERE " + world.mine() + " LIMIT 1000",
                        world.mineValue());
            case 5 ->
                world.say(
                        Form.NEEDS_MERGE,
                        "SELECT e.id FROM events e JOIN readings r ON r.taken = e.kind WHERE e." + world.mine()
                                + " AND r." + world.mine(),
                        world.mineValue(),
                        world.mineValue());
            case 6 ->
                world.say(
                        Form.NEEDS_MERGE,
                        "SELECT id FROM events WHERE " + world.mine() + " UNION SELECT taken FROM readings WHERE "
                                + world.mine(),
                        world.mineValue(),
                        world.mineValue());
            default ->
                world.say(
                        Form.NEEDS_MERGE,
                        "SELECT key FROM settings WHERE " + world.mine()
                                + " AND n > (SELECT count(*) FROM events WHERE " + world.mine() + ")",
                        world.mineValue(),
                        world.mineValue());
        };
    }

    private static Request movesOrReads(World world) {
        return switch (world.dice().below(3)) {
            case 0 ->
                world.say(
                        Form.NEEDS_MERGE,
                        "UPDATE labels SET code = ? WHERE code = ? AND " + world.mine(),
                        world.label(),
                        world.label(),
                        world.mineValue());
            case 1 ->
                world.say(
                        Form.NEEDS_MERGE,
                        "INSERT INTO events (id, worker) SELECT id + ?, worker FROM events WHERE " + world.mine()
                                + " ON CONFLICT DO NOTHING",
                        Value.int8((long) World.WORKERS << 44),
                        world.mineValue());
            default ->
                world.say(
                        Form.NEEDS_MERGE,
                        "INSERT INTO settings (key, worker, n) SELECT 'w' || worker || '/events', min(worker), count(*)"
                                + " FROM events WHERE " + world.mine() + " GROUP BY worker ON CONFLICT DO NOTHING",
                        world.mineValue());
        };
    }

    private static Request pinning(World world) {
        return world.say(
                Form.PINNING,
                world.dice()
                        .of(
                                "DECLARE c CURSOR WITH HOLD FOR SELECT 1",
                                "CREATE TEMP TABLE passing (a int)",
                                "DO $$ BEGIN PERFORM 1; END $$",
                                "PREPARE p AS SELECT 1"));
    }
}
