package dev.trunkline.proxy.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The rows that one worker may touch, and what a transaction is about. What exists is asked of the oracle, so it is
 * what has been committed.
 */
final class World {

    /** A worker's number is below this: keys of different workers never meet. */
    static final int WORKERS = 64;

    private static final int KEYS = 24;

    /** What the rows that a transaction writes have in common: they lie on one shard. */
    enum Home {
        TENANT,
        EVENT,
        SENSOR,
        DOC,
        LABEL,
        TENANTS_TABLE
    }

    private record Tenant(String id, String family) {}

    private final int worker;
    private final boolean everything;
    private final Dice dice;
    private final Connection model;
    private List<Tenant> tenants = List.of();
    private int nextTenant;
    private @Nullable Home home;
    private String family = "";
    private int homeKey;
    private int homeWorker;

    /**
     * A worker's world.
     *
     * @param everything it may touch the rows of all workers: the others rest
     * @param model a connection to the oracle
     */
    World(int worker, boolean everything, Dice dice, Connection model) {
        this.worker = worker;
        this.everything = everything;
        this.dice = dice;
        this.model = model;
        this.homeWorker = worker;
        refresh();
    }

    Dice dice() {
        return dice;
    }

    /** A request for one statement. */
    Request say(Form form, String text, Value... values) {
        return Request.of(form, Sql.of(dice, text, values));
    }

    // ---- what a transaction is about

    void settle() {
        home = dice.of(Home.TENANT, Home.TENANT, Home.TENANT, Home.EVENT, Home.SENSOR, Home.DOC, Home.LABEL);
        if (dice.percent(12)) {
            home = Home.TENANTS_TABLE;
        }
        family = tenants.isEmpty() ? "" : dice.of(tenants).family;
        homeKey = dice.below(KEYS);
        homeWorker = anyWorker();
    }

    /** As {@link #settle()}, for the rows of one family of tenants. */
    void settleOnTenant() {
        settle();
        home = Home.TENANT;
    }

    void leave() {
        home = null;
    }

    /** Back to what it was about before {@link #leave()}. */
    void returnTo(@Nullable Home before) {
        home = before;
    }

    @Nullable
    Home home() {
        return home;
    }

    // ---- keys

    /** Reads again which tenants there are. */
    void refresh() {
        tenants = new ArrayList<>();
        String mine = everything ? "true" : "worker = " + worker;
        query(
                "SELECT id, COALESCE(parent_tenant_id, id) FROM tenants WHERE " + mine + " ORDER BY id",
                row -> tenants.add(new Tenant(row.getString(1), row.getString(2))));
        if (tenants.isEmpty()) {
            throw new IllegalStateException("no tenants");
        }
    }

    /** A tenant: of the transaction's own family if it is about one. */
    Value tenant() {
        if (home != Home.TENANT) {
            return anyTenant();
        }
        List<Tenant> relatives =
                tenants.stream().filter(tenant -> tenant.family.equals(family)).toList();
        return relatives.isEmpty()
                ? anyTenant()
                : Value.text(dice.of(relatives).id).as(textType());
    }

    Value anyTenant() {
        return Value.text(dice.of(tenants).id).as(textType());
    }

    private Value.Type textType() {
        return dice.of(Value.Type.TEXT, Value.Type.VARCHAR);
    }

    /** A tenant that has no rows anywhere and whose mapping may change, or null. */
    @Nullable
    String emptyTenant() {
        List<String> empty = new ArrayList<>();
        String mine = everything ? "true" : "worker = " + worker;
        query(
                "SELECT id FROM tenants t WHERE " + mine
                        + " AND NOT EXISTS (SELECT FROM orders o WHERE o.tenant_id = t.id)"
                        + " AND NOT EXISTS (SELECT FROM users o WHERE o.tenant_id = t.id)"
                        + " AND NOT EXISTS (SELECT FROM archive.orders o WHERE o.tenant_id = t.id) ORDER BY id",
                row -> empty.add(row.getString(1)));
        return empty.isEmpty() || tenants.size() < 4 ? null : dice.of(empty);
    }

    /** The name of a tenant that has never been, in one of many looks. */
    String newTenant() {
        return tenantName(worker, 100 + nextTenant++, dice);
    }

    /** How many tenants there are. */
    int tenantCount() {
        return tenants.size();
    }

    static String tenantName(int worker, int number, Dice dice) {
        String tail = worker + "-" + number;
        return switch (dice.below(10)) {
            case 0 -> "00" + (worker * 1000 + number);
            case 1 -> "it's " + tail;
            case 2 -> "back\\slash " + tail;
            case 3 -> "Größe ñ " + tail;
            case 4 -> "\uD83D\uDE00 " + tail;
            case 5 -> " blank " + tail + " ";
            case 6 -> "\"quoted\" " + tail;
            case 7 -> "a-rather-long-name-of-a-tenant-" + tail;
            default -> "t" + tail;
        };
    }

    /** One of the worker's rows in a sharded or omnisharded table: its number. */
    Value rowId() {
        return integer(1 + dice.below(KEYS));
    }

    /** An integer in a type of any width. */
    Value integer(int value) {
        return switch (dice.below(6)) {
            case 0 -> Value.int2(value).as(Value.Type.INT2);
            case 1 -> Value.int8(value).as(Value.Type.INT8);
            default -> Value.int4(value);
        };
    }

    /** A key of table events. */
    Value eventId() {
        int key = home == Home.EVENT ? homeKey : dice.below(KEYS);
        long id = key * (long) WORKERS + keyOwner(Home.EVENT);
        if (key % 7 == 0) {
            id += (long) WORKERS << 40;
        }
        long signed = key % 5 == 0 ? -id : id;
        return signed == (int) signed && dice.percent(30) ? Value.int4(signed).as(Value.Type.INT4) : Value.int8(signed);
    }

    /** A key of table readings. */
    Value sensor() {
        int key = home == Home.SENSOR ? homeKey : dice.below(KEYS);
        int sensor = key * WORKERS + keyOwner(Home.SENSOR);
        int signed = key % 3 == 0 ? -sensor : sensor;
        return dice.percent(50) ? Value.int2(signed) : integer(signed).as(dice.of(Value.Type.INT4, Value.Type.INT8));
    }

    /** A key of table docs. */
    Value docId() {
        int key = home == Home.DOC ? homeKey : dice.below(KEYS);
        return Value.uuid(new UUID(0x5eed_0000_0000_4000L + key * 0x1234_5678L, keyOwner(Home.DOC) * 77L + key));
    }

    /** A key of table labels. */
    Value label() {
        int key = home == Home.LABEL ? homeKey : dice.below(KEYS);
        String code = (key % 4 == 0 ? "ä" : key % 4 == 1 ? "0" : "L") + keyOwner(Home.LABEL) + "/" + key;
        return Value.text(code).as(textType());
    }

    private int keyOwner(Home kind) {
        return home == kind ? homeWorker : anyWorker();
    }

    private int anyWorker() {
        return everything && dice.percent(70) ? dice.below(4) : worker;
    }

    /** The worker that new rows belong to. */
    Value owner() {
        return Value.int4(worker);
    }

    /** A condition that leaves only rows that the worker may touch; one value goes with it. */
    String mine() {
        return everything ? "worker >= ?" : "worker = ?";
    }

    Value mineValue() {
        return Value.int4(everything ? 0 : worker);
    }

    // ---- the model

    private interface Row {
        void take(ResultSet row) throws SQLException;
    }

    private void query(String sql, Row row) {
        try (PreparedStatement statement = model.prepareStatement(sql);
                ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                row.take(result);
            }
        } catch (SQLException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }
}
