package dev.trunkline.lookup.source;

import dev.trunkline.lookup.map.LookupMap;
import dev.trunkline.lookup.map.LookupMapBuilder;
import dev.trunkline.protocol.ByteSlice;
import dev.trunkline.protocol.backend.DataRow;
import dev.trunkline.routing.key.KeyTranslation;
import dev.trunkline.routing.key.ShardingKey;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One read of a lookup query inside a client's transaction: what is to be sent, and what comes back. For one thread at a
 * time.
 */
public final class OwnRows {

    /** Brings the transaction back to where it was after the read has failed. */
    public static final String UNDO = OwnReadText.UNDO;

    private static final int CIRCUMSTANCES = 3;
    private static final int ROW = 2;

    private final ReadForm form;
    private final String sql;
    private final boolean probe;
    private final List<ShardingKey> keys;
    private final @Nullable Set<ShardingKey> wanted;
    private final RowReader reader;
    private final LookupMapBuilder builder;
    private @Nullable LookupMap map;
    private String sessionUser = "";
    private String isolation = "";
    private boolean elsewhere = true;

    private OwnRows(
            LookupQuery query, ReadForm form, @Nullable List<ShardingKey> keys, boolean probe, long timeoutMillis) {
        this.form = form;
        this.probe = probe;
        this.keys = keys == null ? List.of() : keys;
        wanted = keys == null ? null : new HashSet<>(keys);
        sql = OwnReadText.of(query, form, probe ? keys : null, timeoutMillis);
        reader = new RowReader(query);
        builder = LookupMapBuilder.of(query.type(), query.maxBytes());
    }

    /** Reads the rows of these keys alone. */
    public static OwnRows probe(LookupQuery query, ReadForm form, List<ShardingKey> keys, long timeoutMillis) {
        return new OwnRows(query, form, keys, true, timeoutMillis);
    }

    /** Reads every row and keeps those of these keys. */
    public static OwnRows search(LookupQuery query, ReadForm form, List<ShardingKey> keys, long timeoutMillis) {
        return new OwnRows(query, form, keys, false, timeoutMillis);
    }

    /** Reads every row. */
    public static OwnRows load(LookupQuery query, ReadForm form, long timeoutMillis) {
        return new OwnRows(query, form, null, false, timeoutMillis);
    }

    /** What to send as one Query, inside a transaction block. */
    public String sql() {
        return sql;
    }

    /** True for a read that {@link #search} can replace should the server refuse it. */
    public boolean isProbe() {
        return probe;
    }

    /**
     * Takes a row of any result of the Query.
     *
     * @throws dev.trunkline.lookup.map.MapFault if the rows are no map
     */
    public void add(DataRow row) {
        List<@Nullable ByteSlice> values = row.values();
        if (values.size() == CIRCUMSTANCES) {
            sessionUser = String.valueOf(text(values.get(0)));
            isolation = String.valueOf(text(values.get(1)));
            elsewhere = !isPath(String.valueOf(text(values.get(2))));
        } else if (values.size() == ROW) {
            add(text(values.get(0)), text(values.get(1)));
        }
    }

    /** The schema of temporary tables follows the others, if the session has one. */
    private boolean isPath(String found) {
        String path = String.join(OwnReadText.SEPARATOR, form.searchPath());
        return found.equals(path)
                || found.startsWith(path.isEmpty() ? "pg_temp" : path + OwnReadText.SEPARATOR + "pg_temp");
    }

    private void add(@Nullable String keyText, @Nullable String valueText) {
        ShardingKey key = reader.key(keyText);
        if (key != null && (wanted == null || wanted.contains(key))) {
            builder.put(key, reader.value(key, valueText));
        }
    }

    private static @Nullable String text(@Nullable ByteSlice hex) {
        if (hex == null) {
            return null;
        }
        String digits = new String(hex.bytes(), hex.offset(), hex.length(), StandardCharsets.US_ASCII);
        return new String(HexFormat.of().parseHex(digits), StandardCharsets.UTF_8);
    }

    /** True when the names of the query may have meant other relations than they mean to the loader. */
    public boolean isElsewhere() {
        return elsewhere;
    }

    /** SESSION_USER. */
    public String sessionUser() {
        return sessionUser;
    }

    /** True when the transaction sees the database as it was at its own beginning, not at each statement's. */
    public boolean isOfSnapshot() {
        return !isolation.equals("read committed") && !isolation.equals("read uncommitted");
    }

    /** What was read; every row must have been added. */
    public KeyTranslation map() {
        if (map == null) {
            map = builder.build();
        }
        return map;
    }

    /** The keys that were asked for and have no row. */
    public List<ShardingKey> missing() {
        KeyTranslation found = map();
        return keys.stream().filter(key -> key.translatedBy(found) == null).toList();
    }
}
