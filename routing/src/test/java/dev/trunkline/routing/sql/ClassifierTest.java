package dev.trunkline.routing.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ClassifierTest {

    private static final Map<StatementKind, List<String>> STATEMENTS = statements();

    private static Map<StatementKind, List<String>> statements() {
        Map<StatementKind, List<String>> all = new TreeMap<>();
        all.put(StatementKind.EMPTY, List.of("", "  -- nothing", "/* nothing */"));
        all.put(
                StatementKind.READ,
                List.of(
                        "SELECT 1",
                        "select * from t for update",
                        "VALUES (1)",
                        "TABLE t",
                        "(SELECT 1)",
                        "((SELECT 1) UNION (SELECT 2))",
                        "WITH q AS (SELECT 1) SELECT * FROM q",
                        "WITH RECURSIVE q(a) AS (SELECT 1 UNION SELECT 2) SELECT * FROM q",
                        "WITH update AS (SELECT 1) SELECT * FROM update",
                        "WITH recursive AS (SELECT 1) SELECT * FROM recursive",
                        "WITH q AS NOT MATERIALIZED (VALUES (1)), r AS MATERIALIZED (TABLE t) (SELECT 1)",
                        "WITH RECURSIVE q AS (SELECT 1) SEARCH DEPTH FIRST BY a, b SET c"
                                + " CYCLE a, b SET d USING e SELECT 1",
                        "SELECT delete, update FROM insert",
                        "SELECT 1 AS into",
                        "SELECT t.into FROM t",
                        "SELECT 'INSERT INTO t'"));
        all.put(
                StatementKind.WRITE,
                List.of(
                        "INSERT INTO t VALUES (1)",
                        "update t set a = 1",
                        "DELETE FROM t",
                        "MERGE INTO t USING s ON true WHEN MATCHED THEN DELETE",
                        "WITH q AS (SELECT 1) INSERT INTO t SELECT * FROM q",
                        "WITH q AS (DELETE FROM t RETURNING *) SELECT * FROM q",
                        "WITH a AS (SELECT 1), q AS MATERIALIZED (UPDATE t SET a = 1 RETURNING *) SELECT * FROM q",
                        "WITH q AS (WITH r AS (SELECT 1) INSERT INTO t SELECT * FROM r) SELECT 1",
                        "SELECT * INTO u FROM t",
                        "WITH q AS (SELECT 1) SELECT * INTO u FROM q",
                        "(SELECT * INTO u FROM t)"));
        all.put(
                StatementKind.BEGIN,
                List.of(
                        "BEGIN",
                        "begin work",
                        "BEGIN TRANSACTION",
                        "START TRANSACTION",
                        "BEGIN ISOLATION LEVEL SERIALIZABLE",
                        "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY, DEFERRABLE",
                        "START TRANSACTION READ WRITE NOT DEFERRABLE",
                        "BEGIN ISOLATION LEVEL READ COMMITTED ISOLATION LEVEL READ UNCOMMITTED"));
        all.put(
                StatementKind.COMMIT,
                List.of("COMMIT", "END", "commit work", "END TRANSACTION", "COMMIT AND CHAIN", "COMMIT AND NO CHAIN"));
        all.put(
                StatementKind.ROLLBACK,
                List.of("ROLLBACK", "ABORT", "rollback transaction", "ABORT WORK AND NO CHAIN", "ROLLBACK AND CHAIN"));
        all.put(StatementKind.SAVEPOINT, List.of("SAVEPOINT a", "SAVEPOINT \"A b\"", "SAVEPOINT savepoint"));
        all.put(StatementKind.RELEASE, List.of("RELEASE a", "RELEASE SAVEPOINT a", "RELEASE savepoint"));
        all.put(
                StatementKind.ROLLBACK_TO,
                List.of(
                        "ROLLBACK TO a",
                        "ROLLBACK TO SAVEPOINT a",
                        "ROLLBACK WORK TO a",
                        "ROLLBACK TRANSACTION TO SAVEPOINT a",
                        "ROLLBACK TO savepoint"));
        all.put(StatementKind.PREPARE_TRANSACTION, List.of("PREPARE TRANSACTION 'g'"));
        all.put(StatementKind.COMMIT_PREPARED, List.of("COMMIT PREPARED 'g'"));
        all.put(StatementKind.ROLLBACK_PREPARED, List.of("ROLLBACK PREPARED $$g$$"));
        all.put(
                StatementKind.SET,
                List.of(
                        "SET a = 1",
                        "SET a TO 'x'",
                        "SET SESSION a TO x, \"Y\", 'z'",
                        "SET LOCAL a = -1.5",
                        "SET a.b TO DEFAULT",
                        "SET local TO 1",
                        "SET session = on",
                        "SET TIME ZONE 'UTC'",
                        "SET TIME ZONE LOCAL",
                        "SET TIME ZONE DEFAULT",
                        "SET TIME ZONE -7",
                        "SET TIME ZONE INTERVAL '-08:00' HOUR TO MINUTE",
                        "SET LOCAL TIME ZONE 'UTC'",
                        "SET NAMES 'utf8'",
                        "SET NAMES",
                        "SET NAMES DEFAULT",
                        "SET SCHEMA 's'",
                        "SET ROLE r",
                        "SET LOCAL ROLE NONE",
                        "SET SESSION AUTHORIZATION 'u'",
                        "SET SESSION SESSION AUTHORIZATION DEFAULT",
                        "SET LOCAL SESSION AUTHORIZATION u",
                        "SET XML OPTION DOCUMENT"));
        all.put(
                StatementKind.RESET,
                List.of(
                        "RESET a",
                        "RESET a.b",
                        "RESET ALL",
                        "RESET TIME ZONE",
                        "RESET ROLE",
                        "RESET SESSION AUTHORIZATION",
                        "RESET TRANSACTION ISOLATION LEVEL"));
        all.put(
                StatementKind.SHOW,
                List.of(
                        "SHOW a",
                        "SHOW a.b",
                        "SHOW ALL",
                        "SHOW TIME ZONE",
                        "SHOW TRANSACTION ISOLATION LEVEL",
                        "SHOW SESSION AUTHORIZATION",
                        "show server_version"));
        all.put(
                StatementKind.SET_TRANSACTION,
                List.of(
                        "SET TRANSACTION READ ONLY",
                        "SET LOCAL TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                        "SET TRANSACTION SNAPSHOT '0001'",
                        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ"));
        all.put(
                StatementKind.SET_CONSTRAINTS,
                List.of("SET CONSTRAINTS ALL DEFERRED", "SET CONSTRAINTS a, b IMMEDIATE"));
        all.put(
                StatementKind.DISCARD,
                List.of("DISCARD ALL", "DISCARD PLANS", "DISCARD SEQUENCES", "DISCARD TEMP", "DISCARD TEMPORARY"));
        all.put(
                StatementKind.PREPARE,
                List.of(
                        "PREPARE p AS SELECT 1",
                        "PREPARE p (int, numeric(5, 2)) AS SELECT $1",
                        "PREPARE transaction AS SELECT 1"));
        all.put(StatementKind.EXECUTE, List.of("EXECUTE p", "EXECUTE p (1, 'x')"));
        all.put(
                StatementKind.DEALLOCATE,
                List.of("DEALLOCATE p", "DEALLOCATE PREPARE p", "DEALLOCATE ALL", "DEALLOCATE PREPARE ALL"));
        all.put(
                StatementKind.DECLARE,
                List.of(
                        "DECLARE c CURSOR FOR SELECT 1",
                        "DECLARE c BINARY INSENSITIVE NO SCROLL CURSOR WITH HOLD FOR SELECT 1",
                        "DECLARE c SCROLL CURSOR WITHOUT HOLD FOR VALUES (1)"));
        all.put(
                StatementKind.FETCH,
                List.of("FETCH c", "FETCH NEXT FROM c", "FETCH ALL IN c", "FETCH FORWARD 5 FROM c", "FETCH -1 c"));
        all.put(StatementKind.MOVE, List.of("MOVE c", "MOVE ABSOLUTE 5 IN c"));
        all.put(StatementKind.CLOSE, List.of("CLOSE c", "CLOSE ALL"));
        all.put(StatementKind.LISTEN, List.of("LISTEN c"));
        all.put(StatementKind.UNLISTEN, List.of("UNLISTEN c", "UNLISTEN *"));
        all.put(StatementKind.NOTIFY, List.of("NOTIFY c", "NOTIFY c, 'x'"));
        all.put(
                StatementKind.COPY_FROM_STDIN,
                List.of(
                        "COPY t FROM STDIN",
                        "COPY BINARY t FROM stdin",
                        "COPY s.t (a, \"B\") FROM STDIN WITH (FORMAT csv, HEADER)",
                        "COPY t FROM STDIN DELIMITERS ',' WITH NULL AS 'x'",
                        "COPY t FROM STDOUT"));
        all.put(
                StatementKind.COPY_TO_STDOUT,
                List.of(
                        "COPY t TO STDOUT",
                        "COPY (SELECT * FROM t WHERE a IN (1, 2)) TO STDOUT CSV",
                        "COPY (DELETE FROM t RETURNING *) TO STDOUT",
                        "COPY t TO STDIN"));
        all.put(
                StatementKind.COPY_FILE,
                List.of("COPY t FROM '/f'", "COPY t TO PROGRAM 'x'", "COPY (SELECT 1) TO '/f' (FORMAT text)"));
        all.put(
                StatementKind.EXPLAIN,
                List.of(
                        "EXPLAIN SELECT 1",
                        "EXPLAIN ANALYZE DELETE FROM t",
                        "EXPLAIN (ANALYZE, BUFFERS) SELECT 1",
                        "EXPLAIN (SELECT 1)",
                        "EXPLAIN VERBOSE (SELECT 1)",
                        "EXPLAIN EXECUTE p"));
        all.put(StatementKind.LOCK, List.of("LOCK t", "LOCK TABLE ONLY a, b IN ACCESS EXCLUSIVE MODE NOWAIT"));
        all.put(StatementKind.CALL, List.of("CALL f(1)"));
        all.put(StatementKind.DO, List.of("DO $$BEGIN END$$", "DO LANGUAGE plpgsql 'x'"));
        all.put(StatementKind.TRUNCATE, List.of("TRUNCATE t", "TRUNCATE TABLE ONLY a, b * RESTART IDENTITY CASCADE"));
        all.put(
                StatementKind.DDL,
                List.of(
                        "CREATE TABLE t (a int)",
                        "CREATE TEMP TABLE t AS SELECT 1",
                        "CREATE INDEX ON t (a)",
                        "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                        "CREATE SCHEMA s",
                        "CREATE EXTENSION IF NOT EXISTS x",
                        "CREATE ROLE r",
                        "ALTER TABLE t ADD a int",
                        "ALTER TABLE t DETACH PARTITION p",
                        "ALTER TYPE e ADD VALUE 'x'",
                        "ALTER DATABASE d SET a TO 1",
                        "DROP TABLE t",
                        "DROP INDEX i",
                        "COMMENT ON TABLE t IS 'x'",
                        "GRANT SELECT ON t TO u",
                        "GRANT a TO b",
                        "REVOKE ALL ON t FROM u",
                        "REINDEX TABLE t",
                        "REFRESH MATERIALIZED VIEW CONCURRENTLY v",
                        "CLUSTER t",
                        "SECURITY LABEL ON TABLE t IS 'x'",
                        "REASSIGN OWNED BY a TO b",
                        "IMPORT FOREIGN SCHEMA s FROM SERVER x INTO y",
                        "DROP OWNED BY a"));
        all.put(
                StatementKind.UTILITY_OUTSIDE_BLOCK,
                List.of(
                        "VACUUM",
                        "VACUUM (FULL, ANALYZE) t",
                        "CREATE INDEX CONCURRENTLY i ON t (a)",
                        "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON t (a)",
                        "DROP INDEX CONCURRENTLY IF EXISTS i",
                        "REINDEX TABLE CONCURRENTLY t",
                        "REINDEX (VERBOSE, CONCURRENTLY) TABLE t",
                        "REINDEX SCHEMA s",
                        "REINDEX DATABASE d",
                        "REINDEX SYSTEM d",
                        "CREATE DATABASE d",
                        "DROP DATABASE d",
                        "CREATE TABLESPACE s LOCATION '/x'",
                        "DROP TABLESPACE s",
                        "ALTER SYSTEM SET a = 1",
                        "ALTER DATABASE d SET TABLESPACE s",
                        "ALTER TABLE t DETACH PARTITION p CONCURRENTLY",
                        "CREATE SUBSCRIPTION s CONNECTION 'x' PUBLICATION p",
                        "CLUSTER"));
        all.put(StatementKind.UTILITY, List.of("ANALYZE", "ANALYZE VERBOSE t (a)", "CHECKPOINT", "LOAD 'x'"));
        all.put(
                StatementKind.UNKNOWN,
                List.of(
                        "FOO",
                        "BEGIN foo",
                        "BEGIN;foo".replace(";", " "),
                        "BEGIN READ ONLY,",
                        "START",
                        "COMMIT foo",
                        "COMMIT AND",
                        "END PREPARED 'x'",
                        "ROLLBACK TO",
                        "SAVEPOINT",
                        "SAVEPOINT a b",
                        "SAVEPOINT 'a'",
                        "SET",
                        "SET a",
                        "SET a TO",
                        "SET a TO 1,",
                        "SET a TO 1 2",
                        "SET TRANSACTION",
                        "RESET",
                        "RESET a b",
                        "SHOW",
                        "DISCARD",
                        "DISCARD ALL ALL",
                        "DEALLOCATE",
                        "DEALLOCATE a b",
                        "PREPARE p",
                        "PREPARE p AS",
                        "DECLARE c",
                        "DECLARE c CURSOR FOR",
                        "FETCH",
                        "CLOSE",
                        "LISTEN 'c'",
                        "NOTIFY c d",
                        "COPY t",
                        "COPY t FROM",
                        "COPY (SELECT 1) FROM STDIN",
                        "EXPLAIN",
                        "WITH q SELECT 1",
                        "'x'",
                        "$1"));
        return all;
    }

    @ParameterizedTest
    @EnumSource(StatementKind.class)
    void recognisesEveryKind(StatementKind kind) {
        assertThat(STATEMENTS.get(kind))
                .isNotEmpty()
                .allSatisfy(sql -> assertThat(classify(sql).kind()).as(sql).isEqualTo(kind));
    }

    static Stream<Arguments> commands() {
        return Stream.of(
                row("BEGIN", new Command.Transaction("", false, false, false)),
                row(
                        "begin  isolation level Serializable ,\n read only",
                        new Command.Transaction("isolation level Serializable, read only", true, true, false)),
                row(
                        "START TRANSACTION READ ONLY READ WRITE",
                        new Command.Transaction("READ ONLY READ WRITE", false, false, false)),
                row("COMMIT AND CHAIN", new Command.Transaction("", false, false, true)),
                row("ROLLBACK AND NO CHAIN", new Command.Transaction("", false, false, false)),
                row("ROLLBACK TO SAVEPOINT \"A\"", new Command.Savepoint("A")),
                row("RELEASE Savepoint Foo", new Command.Savepoint("foo")),
                row("COMMIT PREPARED 'it''s'", new Command.Prepared("it's")),
                row("SET LOCAL TimeZone TO 'UTC'", new Command.Setting("timezone", "'UTC'", true)),
                row("SET \"Search_Path\" = a , \"B\", 'c'", new Command.Setting("search_path", "a, \"B\", 'c'", false)),
                row("SET my.var TO - 5", new Command.Setting("my.var", "- 5", false)),
                row("SET a TO DEFAULT", new Command.Setting("a", null, false)),
                row("SET Transaction_Read_Only = on", new Command.Setting("transaction_read_only", "on", true)),
                row(
                        "SET SESSION transaction_isolation TO 'serializable'",
                        new Command.Setting("transaction_isolation", "'serializable'", true)),
                row("SET TIME ZONE LOCAL", new Command.Setting("timezone", null, false)),
                row("SET TIME ZONE -7.5", new Command.Setting("timezone", "- 7.5", false)),
                row(
                        "SET TIME ZONE INTERVAL '-08:00' HOUR TO MINUTE",
                        new Command.Setting("timezone", "'INTERVAL ''-08:00'''", false)),
                row(
                        "SET TIME ZONE INTERVAL '3' HOUR",
                        new Command.Setting("timezone", "'INTERVAL ''3 hours'''", false)),
                row("SET NAMES 'latin1'", new Command.Setting("client_encoding", "'latin1'", false)),
                row("SET SCHEMA 'x'", new Command.Setting("search_path", "'x'", false)),
                row("SET LOCAL ROLE none", new Command.Setting("role", "none", true)),
                row("SET SESSION AUTHORIZATION DEFAULT", new Command.Setting("session_authorization", null, false)),
                row("RESET ALL", new Command.Setting("", null, false)),
                row("RESET Time Zone", new Command.Setting("timezone", null, false)),
                row("SHOW ALL", new Command.Show("all")),
                row("SHOW DateStyle", new Command.Show("datestyle")),
                row(
                        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
                        new Command.SetTransaction("ISOLATION LEVEL REPEATABLE READ", true, false, false)),
                row(
                        "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
                        new Command.SetTransaction("READ ONLY", false, true, false)),
                row("SET TRANSACTION SNAPSHOT 'x'", new Command.SetTransaction("SNAPSHOT 'x'", false, false, true)),
                row("DISCARD temporary", new Command.Discard("TEMP")),
                row("PREPARE \"P\" AS SELECT 1", new Command.SqlPrepared("P")),
                row("DEALLOCATE ALL", new Command.SqlPrepared(null)),
                row("DECLARE C CURSOR WITH HOLD FOR SELECT 1", new Command.Cursor("c", true)),
                row("FETCH FORWARD ALL IN c", new Command.Cursor("c", false)),
                row("CLOSE ALL", new Command.Cursor(null, false)),
                row("NOTIFY c, 'x'", new Command.Channel("c")),
                row("UNLISTEN *", new Command.Channel(null)),
                row("COPY S.T (A, \"B\") FROM STDIN", new Command.Copy("s", "t", List.of("a", "B"))),
                row("COPY (SELECT 1) TO STDOUT", new Command.Copy(null, null, List.of())),
                row("SELECT 1", null),
                row("BEGIN foo", null));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void givesTheParticularsOfACommand(String sql, Command expected) {
        Tokens tokens = Sql.lex(sql);
        assertThat(Classifier.command(tokens, 0, tokens.count())).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "CREATE TABLE s.T (a int) # CREATE TABLE [s.t]",
                "CREATE TABLE IF NOT EXISTS t () # CREATE TABLE [t]",
                "CREATE UNLOGGED TABLE t () # CREATE TABLE [t]",
                "CREATE LOCAL TEMPORARY TABLE t () # CREATE TABLE [t] temporary",
                "CREATE TABLE pg_temp.t () # CREATE TABLE [pg_temp.t] temporary",
                "CREATE FOREIGN TABLE t () SERVER x # CREATE TABLE [t]",
                "CREATE OR REPLACE TEMP VIEW v AS SELECT 1 # CREATE VIEW [v] temporary",
                "CREATE MATERIALIZED VIEW IF NOT EXISTS v AS SELECT 1 # CREATE MATERIALIZED [v]",
                "CREATE UNIQUE INDEX CONCURRENTLY i ON ONLY s.t USING btree (a) # CREATE INDEX [s.t]",
                "CREATE CONSTRAINT TRIGGER x AFTER INSERT ON t EXECUTE FUNCTION f() # CREATE TRIGGER [t]",
                "CREATE EVENT TRIGGER x ON ddl_command_end EXECUTE FUNCTION f() # CREATE EVENT [x]",
                "CREATE OR REPLACE RULE r AS ON INSERT TO t DO NOTHING # CREATE RULE [t]",
                "CREATE POLICY p ON t # CREATE POLICY [t]",
                "CREATE SCHEMA IF NOT EXISTS s # CREATE SCHEMA [s]",
                "CREATE OR REPLACE FUNCTION s.f(a int) RETURNS int AS '' # CREATE FUNCTION [s.f]",
                "CREATE TYPE e AS ENUM ('a') # CREATE TYPE [e]",
                "CREATE TEMP SEQUENCE q # CREATE SEQUENCE [q] temporary",
                "ALTER TABLE IF EXISTS ONLY s.t ADD a int # ALTER TABLE [s.t]",
                "ALTER TABLE t DROP COLUMN a CASCADE # ALTER TABLE [t] cascade",
                "ALTER TABLE ALL IN TABLESPACE a SET TABLESPACE b # ALTER TABLE []",
                "ALTER TRIGGER x ON t RENAME TO y # ALTER TRIGGER [t]",
                "DROP TABLE IF EXISTS a, s.b CASCADE # DROP TABLE [a, s.b] cascade",
                "DROP MATERIALIZED VIEW v # DROP MATERIALIZED [v]",
                "DROP FUNCTION f(int), g # DROP FUNCTION [f, g]",
                "DROP TRIGGER x ON t # DROP TRIGGER [t]",
                "TRUNCATE a, ONLY b, c * CASCADE # TRUNCATE TABLE [a, b, c] cascade",
                "LOCK TABLE a, b IN SHARE MODE # LOCK TABLE [a, b]",
                "ANALYZE VERBOSE a (x, y), b # ANALYZE TABLE [a, b]",
                "VACUUM (ANALYZE) a # VACUUM TABLE [a]",
                "VACUUM FULL VERBOSE a # VACUUM TABLE [a]",
                "REINDEX (VERBOSE) INDEX CONCURRENTLY i # REINDEX INDEX [i]",
                "REFRESH MATERIALIZED VIEW CONCURRENTLY v # REFRESH MATERIALIZED [v]",
                "COMMENT ON COLUMN s.t.c IS 'x' # COMMENT COLUMN [s.t]",
                "COMMENT ON TABLE t IS 'x' # COMMENT TABLE [t]",
                "COMMENT ON TRIGGER x ON t IS 'x' # COMMENT TRIGGER [t]",
                "GRANT SELECT (a), INSERT ON TABLE a, b TO u # GRANT TABLE [a, b]",
                "GRANT ALL ON a TO u # GRANT TABLE [a]",
                "GRANT USAGE ON SCHEMA s TO u # GRANT SCHEMA [s]",
                "GRANT SELECT ON ALL TABLES IN SCHEMA s TO u # GRANT ALL []",
                "GRANT EXECUTE ON FUNCTION f() TO u # GRANT FUNCTION []",
                "REVOKE a FROM b # REVOKE ROLE []",
                "SELECT 1 INTO TEMP u # SELECT TABLE [u] temporary",
                "WITH q AS (SELECT 1) SELECT * INTO s.u FROM q # SELECT TABLE [s.u]",
                "SELECT 1 # NONE_OF_THEM NONE_OF_THEM []",
            })
    void saysWhatADefinitionWorksOn(String sql, String expected) {
        Definition definition = classify(sql).definition();
        String found = definition.verb() + " " + definition.object() + " " + definition.targets()
                + (definition.temporary() ? " temporary" : "") + (definition.cascade() ? " cascade" : "");
        assertThat(found).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "EXPLAIN (ANALYZE) SELECT 1 # SELECT 1",
                "PREPARE p (numeric(1, 2)) AS INSERT INTO t VALUES ($1) # INSERT INTO t VALUES ( $1 )",
                "DECLARE c CURSOR WITH HOLD FOR TABLE t # TABLE t",
                "COPY (SELECT f(1)) TO STDOUT WITH (FORMAT csv) # SELECT f ( 1 )",
                "CREATE TABLE t AS SELECT 1 WITH NO DATA # SELECT 1",
                "CREATE TABLE t (a) AS (SELECT 1) # ( SELECT 1 )",
                "CREATE VIEW v AS SELECT 1 WITH LOCAL CHECK OPTION # SELECT 1",
                "CREATE MATERIALIZED VIEW v AS VALUES (1) WITH DATA # VALUES ( 1 )",
                "CREATE TABLE t (a int GENERATED ALWAYS AS (1) STORED) # -",
                "CREATE FUNCTION f() AS 'x' # -",
            })
    void findsTheInnerStatement(String sql, String expected) {
        Tokens tokens = Sql.lex(sql);
        InnerStatement inner = classify(sql).inner();
        String found = inner == null
                ? "-"
                : new TokenCursor(tokens, 0, tokens.count()).text(inner.firstToken(0), inner.endToken(tokens.count()));
        assertThat(found).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "SELECT F(1), s.g(x), \"H\"() FROM k(2) # f, s.g, H, k",
                "SELECT count(*) FILTER (WHERE a), sum(x) OVER (PARTITION BY y), coalesce(a, b) # count, sum",
                "INSERT INTO t (a, b) VALUES (f(1), 2) ON CONFLICT (a) DO NOTHING # f",
                "SELECT * FROM t x (a, b) JOIN u AS y (c) USING (d) # ",
                "WITH q (a) AS (SELECT 1), r (b) AS MATERIALIZED (SELECT f(2)) SELECT * FROM q # f",
                "SELECT a::varchar(5), CAST(a AS numeric(5, 2)), left(a, 1), replace(a, b, c) # left, replace",
                "SELECT a IN (1), EXISTS (SELECT 1), (SELECT 2), ROW (1), a = ANY (b) # ",
                "CALL s.p(1) # s.p",
                "SELECT first(a), year(b), value(c), x AT TIME ZONE (d) FROM t WHERE e LIKE f ESCAPE (g)"
                        + " FETCH FIRST ($1) ROWS ONLY # first, year, value",
                "EXPLAIN SELECT f() # f",
            })
    void listsCalledFunctions(String sql, String expected) {
        List<String> names =
                classify(sql).functions().stream().map(ObjectName::toString).toList();
        assertThat(String.join(", ", names)).isEqualTo(expected == null ? "" : expected);
    }

    @Test
    void tellsFeaturesOfAStatement() {
        assertThat(classify("SELECT 1 FOR UPDATE").rowLocks()).isTrue();
        assertThat(classify("SELECT 1 FOR NO KEY UPDATE OF t").rowLocks()).isTrue();
        assertThat(classify("SELECT 1 FOR KEY SHARE").rowLocks()).isTrue();
        assertThat(classify("SELECT substring(a FOR 1)").rowLocks()).isFalse();
        assertThat(classify("DELETE FROM t WHERE CURRENT OF \"C\"").currentOf()).isEqualTo("C");
        assertThat(classify("SELECT pg_try_advisory_lock_shared(1)").takesSessionLock())
                .isTrue();
        assertThat(classify("SELECT pg_advisory_xact_lock(1)").takesSessionLock())
                .isFalse();
        assertThat(classify("SELECT s.pg_advisory_lock(1)").takesSessionLock()).isFalse();
        assertThat(classify("INSERT INTO t VALUES (nextval('q'))").usesSequence())
                .isTrue();
        assertThat(classify("SELECT pg_catalog.set_config('a', 'b', false)").callsSetConfig())
                .isTrue();
        assertThat(classify("EXPLAIN (ANALYZE off) SELECT 1").executes()).isFalse();
        assertThat(classify("EXPLAIN (ANALYZE 'off') SELECT 1").executes()).isTrue();
        assertThat(classify("EXPLAIN ANALYZE SELECT 1").executes()).isTrue();
    }

    static Stream<Arguments> setConfigs() {
        return Stream.of(
                row(
                        "SELECT set_config('TimeZone', 'UTC', false)",
                        List.of(new Command.Setting("timezone", "'UTC'", false))),
                row(
                        "SELECT pg_catalog.set_config('search_path', '', true) AS x",
                        List.of(new Command.Setting("search_path", "''", true))),
                row(
                        "SELECT set_config('search_path', 'a, \"B\"', false), 1",
                        List.of(new Command.Setting("search_path", "'a', 'B'", false))),
                row(
                        "SELECT set_config('a'::text, E'x\\\\y', false), set_config('b', NULL, true)",
                        List.of(new Command.Setting("a", "E'x\\\\y'", false), new Command.Setting("b", null, true))),
                row("SELECT set_config('a', 'b', false) FROM t", null),
                row("SELECT set_config('a', 'b', false) WHERE false", null),
                row("SELECT set_config('a', $1, false)", null),
                row("SELECT set_config('a', 'b', $1)", null),
                row("SELECT set_config('a', $1, true)", List.of()),
                row("SELECT set_config(f(1, 2), (SELECT 'b'), true) AS x", List.of()),
                row("SELECT set_config('a', set_config('b', 'c', false), true)", null),
                row("SELECT set_config('a', f(), false)", null),
                row("SELECT upper(set_config('a', 'b', false))", null),
                row("SELECT CASE WHEN true THEN set_config('a', 'b', false) END", null),
                row("UPDATE t SET a = set_config('a', 'b', false)", null));
    }

    @Test
    void readsSetConfigWithParameters() {
        TextParameters parameters = new TextParameters() {
            @Override
            public Optional<String> text(int number) {
                return number == 1 ? Optional.of("it's") : number == 2 ? Optional.empty() : null;
            }

            @Override
            public Boolean bool(int number) {
                return number == 4 ? Boolean.TRUE : null;
            }
        };
        Tokens tokens = Sql.lex("SELECT set_config('a', $1::text, false), set_config('b', $2, $4::boolean)");
        assertThat(SetConfigs.of(tokens, 0, tokens.count(), parameters))
                .isEqualTo(new SetConfigs.Found(
                        List.of(new Command.Setting("a", "'it''s'", false), new Command.Setting("b", null, true)),
                        false,
                        false));
        for (String sql : List.of(
                "SELECT set_config('a', $3, false)",
                "SELECT set_config('a', $1, $3)",
                "SELECT set_config($2, $1, false)",
                "SELECT set_config('a', $1::name, false)")) {
            Tokens other = Sql.lex(sql);
            assertThat(SetConfigs.of(other, 0, other.count(), parameters).unknown())
                    .as(sql)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("setConfigs")
    void readsSetConfigWithConstants(String sql, List<Command.Setting> expected) {
        Tokens tokens = Sql.lex(sql);
        SetConfigs.Found found = SetConfigs.of(tokens, 0, tokens.count(), TextParameters.UNKNOWN);
        assertThat(found.unknown()).isEqualTo(expected == null);
        assertThat(found.settings()).isEqualTo(expected == null ? List.of() : expected);
        assertThat(found.unknownLocal()).isEqualTo(expected != null && expected.isEmpty());
    }

    private static Classification classify(String sql) {
        Tokens tokens = Sql.lex(sql);
        return Classifier.classify(tokens, 0, tokens.count());
    }

    private static Arguments row(String sql, Object expected) {
        return Arguments.of(sql, expected);
    }
}
