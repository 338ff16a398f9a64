"""Checks psycopg 3. check_psycopg.py session|transaction|sharded; the connection stands in PGHOST and so on."""

import contextlib
import datetime
import decimal
import threading
import time
import uuid

import psycopg
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from common import ITEMS, SHARDED, TENANTS, Checks, same

checks = Checks()
UTC = datetime.timezone.utc


@contextlib.contextmanager
def check(name):
    try:
        yield
        checks.passed(name)
    except Exception:
        checks.differs(name)


@contextlib.contextmanager
def fails(fault):
    try:
        yield
    except fault:
        return
    raise AssertionError(f"no {fault.__name__}")


def connect(**more):
    return psycopg.connect("", autocommit=True, connect_timeout=10, **more)


def everywhere(db):
    with check("a simple query of several statements"):
        cursor = db.execute("SELECT 1; SELECT 2, 3")
        same([(1,)], cursor.fetchall())
        assert cursor.nextset()
        same([(2, 3)], cursor.fetchall())
    values = (
        7, "snö", [1, None, 3], b"\x00\xff\x10", datetime.datetime(2024, 2, 29, 12, 30, 0, 125000, UTC),
        decimal.Decimal("123456789012345678901234567890.5"), True, 9007199254740993, 0.1, datetime.date(2024, 2, 29),
        uuid.UUID(int=42), datetime.timedelta(days=3, seconds=5), None)
    types = "int text int[] bytea timestamptz numeric bool bigint float8 date uuid interval text".split()
    for binary in (False, True):
        with check(f"parameters and types, {'binary' if binary else 'text'}"):
            cursor = db.cursor(binary=binary)
            cursor.execute("SET timezone = 'UTC'")
            marker = "%b" if binary else "%t"
            cursor.execute("SELECT " + ", ".join(f"{marker}::{type}" for type in types), values)
            same(values, cursor.fetchone())
            cursor.execute("SELECT %s::jsonb", (Jsonb({"a": [1, {"b": None}]}),))
            same(({"a": [1, {"b": None}]},), cursor.fetchone())
    with check("values written into the text by the client"):
        with psycopg.ClientCursor(db) as cursor:
            cursor.execute("SELECT %s, %s", ("it's \\ so", 7))
            same(("it's \\ so", 7), cursor.fetchone())
    with check("a prepared statement used again"):
        for i in range(20):
            same((2 * i,), db.execute("SELECT 2 * %s::int", (i,), prepare=True).fetchone())
    with check("statements that are prepared by and by, and forgotten"):
        db.prepared_max = 5
        for i in range(60):
            same((i + i % 12,), db.execute(f"SELECT %s::int + {i % 12}", (i,), prepare=True).fetchone())
        db.prepared_max = 100
    with check("many at once of one statement"):
        with db.cursor() as cursor:
            cursor.executemany("SELECT %s::int", [(i,) for i in range(100)], returning=True)
            seen = []
            while True:
                seen.append(cursor.fetchone()[0])
                if not cursor.nextset():
                    break
            same(list(range(100)), seen)
    with check("a pipeline"):
        with db.pipeline():
            cursors = [db.execute("SELECT %s::int", (i,)) for i in range(100)]
        same([(i,) for i in range(100)], [cursor.fetchone() for cursor in cursors])
    with check("a pipeline with an error"):
        with fails(psycopg.errors.DivisionByZero):
            with db.pipeline() as pipeline:
                first = db.execute("SELECT 1")
                pipeline.sync()
                db.execute("SELECT 1 / %s::int", (0,))
                db.execute("SELECT 2")
                pipeline.sync()
                last = db.execute("SELECT 3")
                pipeline.sync()
                same((1,), first.fetchone())
                same((3,), last.fetchone())
        same((4,), db.execute("SELECT 4").fetchone())
    with check("a big result"):
        rows = db.execute("SELECT g, repeat('x', 100) FROM generate_series(1, 50000) g").fetchall()
        same((50000, 1250025000), (len(rows), sum(row[0] for row in rows)))
    with check("rows one by one"):
        same(20000, sum(1 for _ in db.cursor().stream("SELECT generate_series(1, 20000)")))
    with check("a value of 8 MB"):
        same((4 << 20,), db.execute("SELECT length(%s)", ("é" * (4 << 20),)).fetchone())
    with check("settings of a session"):
        db.execute("SET TIME ZONE 'Asia/Tokyo'")
        same(("2024-02-29 21:00:00+09",), db.execute("SELECT '2024-02-29 12:00Z'::timestamptz::text").fetchone())
        same("Asia/Tokyo", db.info.parameter_status("TimeZone"))
        db.execute("RESET TIME ZONE")
    for name, cancel in (("a cancel", db.cancel_safe), ("a cancel by the old protocol", db.cancel)):
        with check(name):
            threading.Timer(0.3, cancel).start()
            begun = time.monotonic()
            with fails(psycopg.errors.QueryCanceled):
                db.execute("SELECT pg_sleep(30)")
            assert time.monotonic() - begun < 10
            same((1,), db.execute("SELECT 1").fetchone())
    with check("a wrong password"):
        with fails(psycopg.OperationalError):
            connect(password="wrong")
    with check("notices"):
        heard = []
        with connect() as other:
            other.add_notice_handler(lambda notice: heard.append(notice.message_primary))
            other.execute("DROP TABLE IF EXISTS there_is_no_such_table" if not SHARDED else "ROLLBACK")
        same(1, len(heard))
    with check("LISTEN and NOTIFY, at rest"):
        with connect() as sender:
            db.execute("LISTEN psycopg_news")
            sender.execute("NOTIFY psycopg_news, 'one'")
            sender.execute("NOTIFY psycopg_news, 'two'" if SHARDED else "SELECT pg_notify('psycopg_news', 'two')")
            heard = []
            for notify in db.notifies(timeout=10):
                heard.append((notify.channel, notify.payload))
                if len(heard) == 2:
                    break
            same([("psycopg_news", "one"), ("psycopg_news", "two")], heard)
            db.execute("UNLISTEN *")


def one_shard(db):
    db.execute("DROP TABLE IF EXISTS psycopg_check")
    db.execute("CREATE TABLE psycopg_check (id int PRIMARY KEY, note text)")
    with check("a transaction that is rolled back"):
        with db.transaction(force_rollback=True):
            same((1, "one"), db.execute("INSERT INTO psycopg_check VALUES (%s, 'one') RETURNING *", (1,)).fetchone())
        same([], db.execute("TABLE psycopg_check").fetchall())
    with check("a transaction in a transaction that fails"):
        with db.transaction():
            db.execute("INSERT INTO psycopg_check VALUES (1, 'one')")
            with fails(psycopg.errors.UniqueViolation):
                with db.transaction():
                    db.execute("INSERT INTO psycopg_check VALUES (1, 'again')")
            same((1,), db.execute("SELECT count(*) FROM psycopg_check").fetchone())
        same([(1, "one")], db.execute("TABLE psycopg_check").fetchall())
    with check("without autocommit"):
        with psycopg.connect("") as other:
            other.execute("DELETE FROM psycopg_check")
            with fails(psycopg.errors.DivisionByZero):
                other.execute("SELECT 1 / 0")
            with fails(psycopg.errors.InFailedSqlTransaction):
                other.execute("SELECT 1")
            other.rollback()
            same((1,), other.execute("SELECT count(*) FROM psycopg_check").fetchone())
    with check("two phases"):
        with psycopg.connect("") as other:
            xid = other.xid(7, "psycopg", "check")
            other.tpc_begin(xid)
            other.execute("UPDATE psycopg_check SET note = 'two phases'")
            try:
                other.tpc_prepare()
                other.tpc_commit()
            except psycopg.errors.ObjectNotInPrerequisiteState:
                other.tpc_rollback()  # the server keeps no prepared transactions
    with check("a cursor of the server"):
        with db.transaction(), db.cursor("named") as cursor:
            cursor.execute("SELECT generate_series(1, 250)")
            sizes = [len(cursor.fetchmany(100)) for _ in range(3)]
            same([100, 100, 50], sizes)
    with check("a cursor of the server that outlives its transaction"):
        with db.cursor("held", withhold=True) as cursor:
            cursor.execute("SELECT generate_series(1, 10)")
            same((1,), cursor.fetchone())
            db.execute("SELECT 1")
            same((2,), cursor.fetchone())
    db.execute("TRUNCATE psycopg_check")
    for form in ("TEXT", "BINARY", "CSV"):
        with check(f"COPY both ways, {form}"):
            db.execute("TRUNCATE psycopg_check")
            with db.cursor() as cursor:
                with cursor.copy(f"COPY psycopg_check FROM STDIN (FORMAT {form})") as copy:
                    if form == "CSV":
                        for i in range(1000):
                            copy.write(f'{i},"note, {i}"\n')
                    else:
                        copy.set_types(["int4", "text"])
                        for i in range(1000):
                            copy.write_row((i, f"note, {i}"))
                same(1000, cursor.rowcount)
                query = f"COPY (SELECT * FROM psycopg_check ORDER BY id) TO STDOUT (FORMAT {form})"
                with cursor.copy(query) as copy:
                    if form == "CSV":
                        same("".join(f'{i},"note, {i}"\n' for i in range(1000)), b"".join(copy).decode())
                    else:
                        copy.set_types(["int4", "text"])
                        same([(i, f"note, {i}") for i in range(1000)], list(copy.rows()))
    with check("COPY that the client breaks off"):
        with fails(ZeroDivisionError):
            with db.cursor().copy("COPY psycopg_check FROM STDIN") as copy:
                copy.write_row((5000, "lost"))
                raise ZeroDivisionError
        same((1000,), db.execute("SELECT count(*) FROM psycopg_check").fetchone())
    with check("COPY of a row that is refused"):
        with fails(psycopg.errors.UniqueViolation):
            with db.cursor().copy("COPY psycopg_check FROM STDIN") as copy:
                copy.write_row((1, "again"))
    db.execute("DROP TABLE psycopg_check")


def sharded(db):
    query = "SELECT item FROM orders WHERE tenant_id = %s ORDER BY id"
    with check("each tenant's rows, by one prepared statement"):
        for tenant in TENANTS * 3:
            same([(item,) for item in ITEMS], db.execute(query, (tenant,), prepare=True).fetchall())
    with check("rows by name"):
        row = db.cursor(row_factory=dict_row).execute("SELECT * FROM tenants WHERE id = %s", ("acme-berlin",)).fetchone()
        same("acme", row["parent_tenant_id"])
    with check("all tenants' rows"):
        same(18, len(db.execute("SELECT tenant_id, id FROM orders").fetchall()))
    with check("a transaction that is rolled back"):
        with db.transaction(force_rollback=True):
            db.execute("INSERT INTO users VALUES (%s, %s, 'psycopg')", ("wayne", 920))
            same(("psycopg",), db.execute(
                "SELECT email FROM users WHERE tenant_id = %s AND id = %s", ("wayne", 920)).fetchone())
        same(None, db.execute("SELECT email FROM users WHERE tenant_id = %s AND id = %s", ("wayne", 920)).fetchone())
    with check("a transaction in a transaction that fails"):
        with db.transaction():
            db.execute("INSERT INTO users VALUES ('wayne', 921, 'psycopg')")
            with fails(psycopg.errors.UniqueViolation):
                with db.transaction():
                    db.execute("INSERT INTO users VALUES ('wayne', 921, 'again')")
            same(1, db.execute("DELETE FROM users WHERE tenant_id = 'wayne' AND id = 921").rowcount)
    with check("a pipeline over several tenants, synced after each"):
        with db.pipeline() as pipeline:
            cursors = []
            for tenant in TENANTS * 10:
                cursors.append(db.execute(query, (tenant,)))
                pipeline.sync()
        for cursor in cursors:
            same([(item,) for item in ITEMS], cursor.fetchall())
    with check("a pipeline over several tenants as one implicit transaction"):
        with db.pipeline():
            cursors = [db.execute(query, (tenant,)) for tenant in TENANTS * 10]
        for cursor in cursors:
            same([(item,) for item in ITEMS], cursor.fetchall())
    with check("a tenant that nobody knows"):
        with fails(psycopg.errors.SerializationFailure):
            db.execute(query, ("nobody",))
    with check("many rows of several tenants"):
        with db.cursor() as cursor:
            cursor.executemany("INSERT INTO users VALUES (%s, %s, 'many')", [(t, 930 + i) for t in TENANTS for i in range(10)])
            same(50, cursor.rowcount)
            cursor.executemany("DELETE FROM users WHERE tenant_id = %s AND email = 'many'", [(t,) for t in TENANTS])
            same(50, cursor.rowcount)
    for form in ("text", "csv", "binary"):
        with check(f"COPY to several tenants ({form})"):
            with db.cursor() as cursor:
                with cursor.copy(f"COPY users (tenant_id, id, email) FROM STDIN (FORMAT {form})") as copy:
                    if form == "csv":
                        for i in range(1000):
                            for tenant in TENANTS:
                                copy.write(f'"{tenant}",{1000 + i},"copied, {i}"\n')
                    else:
                        copy.set_types(["varchar", "int8", "varchar"])
                        for i in range(1000):
                            for tenant in TENANTS:
                                copy.write_row((tenant, 1000 + i, f"copied, {i}"))
                same(5000, cursor.rowcount)
                for tenant in TENANTS:
                    cursor.execute("SELECT id FROM users WHERE tenant_id = %s AND id >= 1000 ORDER BY id", (tenant,))
                    same([(1000 + i,) for i in range(1000)], cursor.fetchall())
                with cursor.copy("COPY users (tenant_id, id) TO STDOUT") as copy:
                    same(5000, sum(int(row.split(b"\t")[1]) >= 1000 for row in b"".join(copy).splitlines()))
                cursor.executemany("DELETE FROM users WHERE tenant_id = %s AND id >= 1000", [(t,) for t in TENANTS])
    with check("a new tenant, and its first row"):
        db.execute("INSERT INTO tenants VALUES (%s, %s, %s)", ("psycopg-child", "initech", "Psycopg"))
        db.execute("INSERT INTO users VALUES (%s, %s, %s)", ("psycopg-child", 1, "child"))
        same([(1, "child")], db.execute(
            "SELECT id, email FROM users WHERE tenant_id = %s", ("psycopg-child",)).fetchall())
        db.execute("DELETE FROM users WHERE tenant_id = %s", ("psycopg-child",))
        db.execute("DELETE FROM tenants WHERE id = %s", ("psycopg-child",))


print(f"psycopg {psycopg.__version__} ({psycopg.pq.__impl__}), libpq {psycopg.pq.version()}")
with connect() as connection:
    everywhere(connection)
    (sharded if SHARDED else one_shard)(connection)
checks.end()
