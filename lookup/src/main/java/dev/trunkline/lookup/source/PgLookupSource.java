package dev.trunkline.lookup.source;

import dev.trunkline.lookup.map.LookupMap;
import dev.trunkline.lookup.map.MapFault;
import dev.trunkline.lookup.source.SourceException.Kind;
import dev.trunkline.routing.catalog.QualifiedName;
import dev.trunkline.routing.key.ShardingKey;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collector;

/**
 * Reads lookups on a PostgreSQL server over two connections, one for whole maps and one for single keys. Created and
 * used on one event loop.
 *
 * @see <a href="https://www.postgresql.org/docs/current/transaction-iso.html">Transaction Isolation: a statement under
 *     READ COMMITTED sees what was committed before it began</a>
 */
public final class PgLookupSource implements LookupSource {

    private final Vertx vertx;
    private final ReadConnection loads;
    private final ReadConnection probes;
    private final Map<LookupQuery, KeyColumnType> keyColumns = new HashMap<>();
    private BiConsumer<LookupQuery, ReadForm> whenDescribed = (query, form) -> {};

    /**
     * A source that connects when it is first asked.
     *
     * @param wait how long a statement waits at most: what shows no sign of life for half of it is given up
     */
    public PgLookupSource(Vertx vertx, LookupServer server, Duration wait) {
        this.vertx = vertx;
        loads = new ReadConnection(vertx, () -> options(server, "trunkline lookup load"), ReadLimits.ofLoad(wait));
        probes = new ReadConnection(vertx, () -> options(server, "trunkline lookup probe"), ReadLimits.ofProbe(wait));
    }

    private static PgConnectOptions options(LookupServer server, String application) {
        PgConnectOptions options = server.options();
        options.setCachePreparedStatements(true);
        options.addProperty("application_name", application);
        return options;
    }

    /** Who hears how a query is read on other connections, each time that it is found out. */
    public void whenDescribed(BiConsumer<LookupQuery, ReadForm> listener) {
        whenDescribed = listener;
    }

    /** Finds out how a query is read on other connections. */
    public Future<ReadForm> describe(LookupQuery query) {
        return loads.read(reading -> requireTwoColumns(reading, query).compose(checked -> readForm(reading, query)));
    }

    @Override
    public Future<LookupMap> load(LookupQuery query, Runnable sending) {
        return loads.read(reading -> requireTwoColumns(reading, query)
                .compose(checked -> readKeyColumn(reading, query))
                .compose(known -> readAll(reading, query, sending)));
    }

    /** The column count is asked for in the transaction of the load: its locks keep the query as it is. */
    private static Future<Void> requireTwoColumns(Reading<?> reading, LookupQuery query) {
        return reading.connection()
                .query(QueryText.columns(query.text()))
                .execute()
                .compose(rows -> {
                    reading.progressed();
                    int columns = rows.columnDescriptors().size();
                    return columns == 2 ? Future.succeededFuture() : Future.failedFuture(MapFault.columnCount(columns));
                });
    }

    private Future<KeyColumnType> readKeyColumn(Reading<?> reading, LookupQuery query) {
        return readForm(reading, query).map(form -> Objects.requireNonNull(keyColumns.get(query)));
    }

    private Future<ReadForm> readForm(Reading<?> reading, LookupQuery query) {
        return reading.connection()
                .query(QueryText.keyColumn(query.text()))
                .execute()
                .map(rows -> {
                    reading.progressed();
                    Row row = rows.iterator().next();
                    KeyColumnType type = new KeyColumnType(String.valueOf(row.getString(0)), row.getBoolean(1));
                    keyColumns.put(query, type);
                    ReadForm form = new ReadForm(
                            List.of(Objects.requireNonNull(row.getArrayOfStrings(2))), type.isProbeable(query.type()));
                    whenDescribed.accept(query, form);
                    return form;
                });
    }

    private Future<LookupMap> readAll(Reading<LookupMap> reading, LookupQuery query, Runnable sending) {
        sending.run();
        return reading.connection()
                .query(QueryText.load(query.text()))
                .collecting(Collector.<Row, MapAssembly>of(
                        () -> new MapAssembly(vertx, query, reading::giveUp),
                        (assembly, row) -> {
                            reading.progressed();
                            assembly.add(row);
                        },
                        (one, other) -> {
                            throw new UnsupportedOperationException("rows come one after the other");
                        }))
                .execute()
                .compose(result -> result.value().finish());
    }

    @Override
    public Future<ProbeAnswer> probe(LookupQuery query, List<ShardingKey> keys, Runnable sending) {
        return probes.read(reading -> keyColumn(reading, query).compose(column -> {
            if (!column.isProbeable(query.type())) {
                return Future.failedFuture(
                        new SourceException(Kind.NOT_PROBEABLE, "the key column is of type " + column.type(), null));
            }
            return readKeys(reading, query, keys, sending)
                    // The column may have changed its type since.
                    .onFailure(refused -> keyColumns.remove(query));
        }));
    }

    private Future<KeyColumnType> keyColumn(Reading<?> reading, LookupQuery query) {
        KeyColumnType known = keyColumns.get(query);
        return known != null
                ? Future.succeededFuture(known)
                : requireTwoColumns(reading, query).compose(checked -> readKeyColumn(reading, query));
    }

    private static Future<ProbeAnswer> readKeys(
            Reading<ProbeAnswer> reading, LookupQuery query, List<ShardingKey> keys, Runnable sending) {
        Object[] parameter = ProbeKeys.parameter(query.type(), keys);
        sending.run();
        return reading.connection()
                .preparedQuery(QueryText.probe(query.text(), query.type()))
                .collecting(Collector.<Row, ProbeRows>of(
                        () -> new ProbeRows(query, keys), ProbeRows::add, (one, other) -> one))
                .execute(Tuple.of(parameter))
                .map(result -> result.value().answer());
    }

    /**
     * What a query rests on. Relations are found as the locks that the server takes for it, calls in the tree that it
     * makes of the query, in which views have been replaced by what they are.
     */
    public Future<QueryReads> reads(LookupQuery query) {
        return loads.read(reading -> new TreeReading(reading.connection())
                .read(QueryText.noRow(query.text()))
                .compose(tree -> reading.connection()
                        .query(QueryText.relations())
                        .execute()
                        .compose(relations -> notImmutable(reading, QueryCalls.of(tree))
                                .map(doubtful -> new QueryReads(names(relations), doubtful)))));
    }

    private static Future<List<String>> notImmutable(Reading<?> reading, QueryCalls calls) {
        return reading.connection()
                .preparedQuery(QueryText.notImmutable())
                .execute(Tuple.of(
                        identifiers(calls.functions()),
                        identifiers(calls.operators()),
                        identifiers(calls.typesRead()),
                        identifiers(calls.typesWritten())))
                .map(rows -> {
                    List<String> found = new ArrayList<>(calls.doubtful());
                    rows.forEach(row -> found.add(String.valueOf(row.getString(0))));
                    return List.copyOf(found);
                });
    }

    private static Long[] identifiers(Set<Long> of) {
        return of.toArray(Long[]::new);
    }

    private static Set<QualifiedName> names(RowSet<Row> rows) {
        List<QualifiedName> names = new ArrayList<>();
        rows.forEach(row ->
                names.add(new QualifiedName(String.valueOf(row.getString(0)), String.valueOf(row.getString(1)))));
        return Set.copyOf(names);
    }

    @Override
    public Future<Void> close() {
        return Future.all(loads.close(), probes.close()).mapEmpty();
    }
}
