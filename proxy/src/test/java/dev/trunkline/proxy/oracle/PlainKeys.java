package dev.trunkline.proxy.oracle;

import static dev.trunkline.proxy.oracle.Menu.Use.WRITE_DOC;
import static dev.trunkline.proxy.oracle.Menu.Use.WRITE_EVENT;
import static dev.trunkline.proxy.oracle.Menu.Use.WRITE_LABEL;
import static dev.trunkline.proxy.oracle.Menu.Use.WRITE_LIST;
import static dev.trunkline.proxy.oracle.Menu.Use.WRITE_SENSOR;

/** Writes of tables whose key is hashed as it is: bigint, smallint, uuid, text. */
final class PlainKeys {

    private PlainKeys() {}

    static void addTo(Menu menu) {
        menu.add(WRITE_EVENT, 5, PlainKeys::insertEvent);
        menu.add(WRITE_EVENT, 3, PlainKeys::writeEvent);
        menu.add(WRITE_SENSOR, 4, PlainKeys::insertReading);
        menu.add(WRITE_SENSOR, 2, PlainKeys::writeReading);
        menu.add(WRITE_DOC, 4, PlainKeys::insertDoc);
        menu.add(WRITE_DOC, 2, PlainKeys::writeDoc);
        menu.add(WRITE_LABEL, 4, PlainKeys::insertLabel);
        menu.add(WRITE_LABEL, 2, PlainKeys::writeLabel);
        menu.add(WRITE_LIST, 5, PlainKeys::insertRows);
    }

    private static Value kind(World world) {
        return Value.int2(world.dice().below(5));
    }

    private static Request insertRows(World world) {
        return switch (world.dice().below(4)) {
            case 0 ->
                world.say(
                        Form.INSERT_ROWS_OF_SEVERAL_KEYS,
                        "INSERT INTO events (id, worker, payload) VALUES (?, ?, ?), (?, ?, 'é ,('), (?, ?, lower(?))"
                                + " ON CONFLICT DO NOTHING" + world.dice().of("", " RETURNING *"),
                        world.eventId(),
                        world.owner(),
                        Writes.note(world),
                        world.eventId(),
                        world.owner(),
                        world.eventId(),
                        world.owner(),
                        Writes.note(world));
            case 1 ->
                world.say(
                        Form.INSERT_ROWS_OF_SEVERAL_KEYS,
                        "INSERT INTO readings (taken, sensor, worker, value) VALUES (?, ?, ?, 1), (?, ?, ?, DEFAULT)"
                                + " ON CONFLICT (sensor, taken) DO UPDATE SET value = 5",
                        world.rowId(),
                        world.sensor(),
                        world.owner(),
                        world.rowId(),
                        world.sensor(),
                        world.owner());
            case 2 ->
                world.say(
                        Form.INSERT_ROWS_OF_SEVERAL_KEYS,
                        "INSERT INTO docs VALUES (?, ?, ?), (?, ?, ?), (?, ?, NULL) ON CONFLICT DO NOTHING"
                                + " RETURNING title",
                        world.docId(),
                        world.owner(),
                        Writes.note(world),
                        world.docId(),
                        world.owner(),
                        Writes.note(world),
                        world.docId(),
                        world.owner());
            default ->
                world.say(
                                Form.INSERT_ROWS_OF_SEVERAL_KEYS,
                                "INSERT INTO labels (code, worker, n) VALUES (?, ?, ?), (?, ?, ?) ON CONFLICT (code) DO UPDATE"
                                        + " SET n = labels.n + excluded.n RETURNING code"
                                        + world.dice().of("", ", n", ", n, nope"),
                                world.label(),
                                world.owner(),
                                world.rowId(),
                                world.label(),
                                world.owner(),
                                world.rowId())
                        .inOrder();
        };
    }

    private static Request insertEvent(World world) {
        return switch (world.dice().below(4)) {
            case 0 ->
                world.say(
                        Form.INSERT_BY_BIGINT,
                        "INSERT INTO events VALUES (?, ?, ?, ?)",
                        kind(world),
                        world.eventId(),
                        world.owner(),
                        Writes.note(world));
            case 1 ->
                world.say(
                        Form.UPSERT_UPDATE,
                        "INSERT INTO events (id, worker, kind, weight) VALUES (?, ?, ?, 1.5) ON CONFLICT (id)"
                                + " DO UPDATE SET weight = events.weight + 0.25, kind = EXCLUDED.kind RETURNING *",
                        world.eventId(),
                        world.owner(),
                        kind(world));
            case 2 ->
                world.say(
                        Form.UPSERT_NOTHING,
                        "INSERT INTO public.events (worker, id, payload) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                        world.owner(),
                        world.eventId(),
                        Writes.note(world));
            default ->
                world.say(
                        Form.INSERT_BY_BIGINT,
                        "INSERT INTO events (worker, \"id\") VALUES (?, ?) RETURNING id",
                        world.owner(),
                        world.eventId());
        };
    }

    private static Request writeEvent(World world) {
        return switch (world.dice().below(3)) {
            case 0 ->
                world.say(
                        Form.UPDATE_BY_PLAIN_KEY,
                        "UPDATE events SET payload = ?, kind = ? WHERE id = ?",
                        Writes.note(world),
                        kind(world),
                        world.eventId());
            case 1 ->
                world.say(
                        Form.UPDATE_BY_PLAIN_KEY,
                        "UPDATE events e SET weight = ?::int / 4.0 WHERE e.id = ? AND kind > ? RETURNING e.*",
                        world.rowId(),
                        world.eventId(),
                        kind(world));
            default ->
                world.say(Form.DELETE_BY_PLAIN_KEY, "DELETE FROM events WHERE ? = id RETURNING *", world.eventId());
        };
    }

    private static Request insertReading(World world) {
        Value sensor = world.sensor();
        return switch (world.dice().below(3)) {
            case 0 ->
                world.say(
                        Form.INSERT_BY_SMALLINT,
                        "INSERT INTO readings VALUES (?, ?, ?, ?), (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                        sensor,
                        world.rowId(),
                        world.owner(),
                        Value.int4(7),
                        sensor,
                        world.rowId(),
                        world.owner(),
                        Value.int4(8));
            case 1 ->
                world.say(
                        Form.UPSERT_UPDATE,
                        "INSERT INTO readings (taken, sensor, worker, value) VALUES (?, ?, ?, 0.5) ON CONFLICT"
                                + " (sensor, taken) DO UPDATE SET value = readings.value + 1 RETURNING value",
                        world.rowId(),
                        sensor,
                        world.owner());
            default ->
                world.say(
                        Form.INSERT_BY_SMALLINT,
                        "INSERT INTO readings (sensor, taken, worker) VALUES (?, ?, ?)",
                        sensor,
                        world.rowId(),
                        world.owner());
        };
    }

    private static Request writeReading(World world) {
        return world.dice().percent(60)
                ? world.say(
                        Form.UPDATE_BY_PLAIN_KEY,
                        "UPDATE readings SET value = value * 2 WHERE sensor = ? AND taken = ?",
                        world.sensor(),
                        world.rowId())
                : world.say(
                        Form.DELETE_BY_PLAIN_KEY,
                        "DELETE FROM readings WHERE sensor = ? AND taken > ?",
                        world.sensor(),
                        world.rowId());
    }

    private static Request insertDoc(World world) {
        return switch (world.dice().below(3)) {
            case 0 ->
                world.say(
                        Form.INSERT_BY_UUID,
                        "INSERT INTO docs VALUES (?, ?, ?, ?::jsonb)",
                        world.docId(),
                        world.owner(),
                        Writes.note(world),
                        Value.text("{\"b\": 1, \"a\": [1, 2]}"));
            case 1 ->
                world.say(
                        Form.UPSERT_UPDATE,
                        "INSERT INTO docs (title, id, worker, raw) VALUES (?, ?, ?, '\\x00ff10') ON CONFLICT (id)"
                                + " DO UPDATE SET title = docs.title || '+' RETURNING title, raw",
                        Writes.note(world),
                        world.docId(),
                        world.owner());
            default ->
                world.say(
                        Form.UPSERT_NOTHING,
                        "INSERT INTO docs (worker, id) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id",
                        world.owner(),
                        world.docId());
        };
    }

    private static Request writeDoc(World world) {
        return world.dice().percent(60)
                ? world.say(
                        Form.UPDATE_BY_PLAIN_KEY,
                        "UPDATE docs SET body = jsonb_build_object('n', ?::int), title = upper(title) WHERE id = ?",
                        world.rowId(),
                        world.docId())
                : world.say(
                        Form.DELETE_BY_PLAIN_KEY,
                        "DELETE FROM docs WHERE id IN (?, ?) AND " + world.mine(),
                        world.docId(),
                        world.docId(),
                        world.mineValue());
    }

    private static Request insertLabel(World world) {
        return switch (world.dice().below(3)) {
            case 0 ->
                world.say(
                        Form.INSERT_BY_PLAIN_TEXT,
                        "INSERT INTO labels VALUES (?, ?, ?)",
                        world.label(),
                        world.owner(),
                        world.rowId());
            case 1 ->
                world.say(
                        Form.UPSERT_UPDATE,
                        "INSERT INTO labels (n, code, worker) VALUES (?, ?, ?) ON CONFLICT (code)"
                                + " DO UPDATE SET n = labels.n + EXCLUDED.n",
                        world.rowId(),
                        world.label(),
                        world.owner());
            default ->
                world.say(
                        Form.INSERT_RETURNING,
                        "INSERT INTO labels (code, worker) VALUES (?, ?) RETURNING *",
                        world.label(),
                        world.owner());
        };
    }

    private static Request writeLabel(World world) {
        return world.dice().percent(60)
                ? world.say(
                        Form.UPDATE_BY_PLAIN_KEY,
                        "UPDATE labels SET n = coalesce(n, 0) + 1 WHERE code = ? RETURNING n",
                        world.label())
                : world.say(
                        Form.DELETE_BY_PLAIN_KEY,
                        "DELETE FROM labels WHERE code = ? AND n > ?",
                        world.label(),
                        world.rowId());
    }
}
