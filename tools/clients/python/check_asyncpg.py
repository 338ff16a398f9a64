"""Checks asyncpg. check_asyncpg.py session|transaction|sharded; the connection stands in PGHOST and so on."""

import asyncio
import contextlib
import datetime
import decimal
import io
import uuid

import asyncpg

from common import ITEMS, SHARDED, TENANTS, Checks, same

checks = Checks()
UTC = datetime.timezone.utc
QUERY = "SELECT item FROM orders WHERE tenant_id = $1 ORDER BY id"


@contextlib.asynccontextmanager
async def check(name):
    try:
        async with asyncio.timeout(30):
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


async def everywhere(db):
    async with check("a simple query of several statements"):
        same("SELECT 1", await db.execute("SELECT 1; SELECT 2"))
    values = (
        7, "snö", [1, None, 3], b"\x00\xff\x10", datetime.datetime(2024, 2, 29, 12, 30, 0, 125000, UTC),
        decimal.Decimal("123456789012345678901234567890.5"), True, 9007199254740993, 0.1, datetime.date(2024, 2, 29),
        uuid.UUID(int=42), datetime.timedelta(days=3, seconds=5), '{"a": [1, {"b": null}]}', None)
    types = "int text int[] bytea timestamptz numeric bool bigint float8 date uuid interval jsonb text".split()
    async with check("parameters and types"):
        columns = ", ".join(f"${i + 1}::{type}" for i, type in enumerate(types))
        same(values, tuple(await db.fetchrow("SELECT " + columns, *values)))
    async with check("types that have to be looked up"):
        same([(1, "a"), (2, None)], [tuple(row) for row in await db.fetchval(
            "SELECT array_agg(x ORDER BY a) FROM (VALUES (1, 'a'::text), (2, NULL)) x (a, b)")])
        same(asyncpg.Range(1, 5), await db.fetchval("SELECT $1::int4range", asyncpg.Range(1, 5)))
        await db.set_type_codec("jsonb", encoder=str, decoder=len, schema="pg_catalog")
        same(2, await db.fetchval("SELECT '{}'::jsonb"))
        await db.reset_type_codec("jsonb", schema="pg_catalog")
    async with check("a prepared statement used again"):
        statement = await db.prepare("SELECT 2 * $1::int AS n")
        same(["int4"], [parameter.name for parameter in statement.get_parameters()])
        same(["n"], [attribute.name for attribute in statement.get_attributes()])
        for i in range(20):
            same(2 * i, await statement.fetchval(i))
    async with check("many at once of one statement"):
        same([(i,) for i in range(100)],
             [tuple(row) for row in await db.fetchmany("SELECT $1::int", [(i,) for i in range(100)])])
    async with check("more statements than are kept"):
        for i in range(150):
            same(i + 1, await db.fetchval(f"SELECT $1::int + {i}", 1))
    async with check("an error, and on"):
        with fails(asyncpg.DivisionByZeroError):
            await db.fetchval("SELECT 1 / $1::int", 0)
        same(3, await db.fetchval("SELECT $1::int", 3))
    async with check("a big result"):
        rows = await db.fetch("SELECT g, repeat('x', 100) FROM generate_series(1, 50000) g")
        same((50000, 1250025000), (len(rows), sum(row[0] for row in rows)))
    async with check("a value of 8 MB"):
        same(4 << 20, await db.fetchval("SELECT length($1::text)", "é" * (4 << 20)))
    async with check("settings of a session"):
        await db.execute("SET TIME ZONE 'Asia/Tokyo'")
        same("2024-02-29 21:00:00+09", await db.fetchval("SELECT '2024-02-29 12:00Z'::timestamptz::text"))
        same("Asia/Tokyo", db.get_settings().TimeZone)
        await db.execute("RESET TIME ZONE")
    async with check("a cancel by a timeout"):
        with fails(asyncio.TimeoutError):
            await db.fetchval("SELECT pg_sleep(30)", timeout=0.3)
        same(1, await db.fetchval("SELECT 1"))
    async with check("a cancel of a task"):
        task = asyncio.create_task(db.execute("SELECT pg_sleep(30)"))
        await asyncio.sleep(0.3)
        task.cancel()
        with fails(asyncio.CancelledError):
            await task
        same(1, await db.fetchval("SELECT 1"))
    async with check("a pool, which resets what it gives back"):
        async with asyncpg.create_pool(min_size=1, max_size=5) as pool:
            same(list(range(100)), await asyncio.gather(*(pool.fetchval("SELECT $1::int", i) for i in range(100))))
    async with check("a wrong password"):
        with fails(asyncpg.InvalidPasswordError):
            await asyncpg.connect(password="wrong")
    async with check("LISTEN and NOTIFY, at rest"):
        heard = asyncio.Queue()
        sender = await asyncpg.connect()

        def hear(connection, pid, channel, payload):
            heard.put_nowait((channel, payload))

        await db.add_listener("asyncpg_news", hear)
        await sender.execute("NOTIFY asyncpg_news, 'one'")
        await sender.fetch("NOTIFY asyncpg_news, 'two'" if SHARDED else "SELECT pg_notify('asyncpg_news', 'two')")
        for payload in ("one", "two"):
            same(("asyncpg_news", payload), await asyncio.wait_for(heard.get(), 10))
        await db.remove_listener("asyncpg_news", hear)
        await sender.close()


async def one_shard(db):
    await db.execute("DROP TABLE IF EXISTS asyncpg_check; DROP TYPE IF EXISTS asyncpg_mood")
    await db.execute("CREATE TYPE asyncpg_mood AS ENUM ('sad', 'happy')")
    await db.execute("CREATE TABLE asyncpg_check (id int PRIMARY KEY, note text, mood asyncpg_mood)")
    async with check("a type of its own"):
        same("happy", await db.fetchval("SELECT $1::asyncpg_mood", "happy"))
    async with check("a transaction that is rolled back"):
        transaction = db.transaction()
        await transaction.start()
        same((1, "one"), tuple(await db.fetchrow("INSERT INTO asyncpg_check VALUES ($1, 'one') RETURNING id, note", 1)))
        await transaction.rollback()
        same([], await db.fetch("SELECT * FROM asyncpg_check"))
    async with check("a transaction in a transaction that fails"):
        async with db.transaction(isolation="serializable"):
            await db.execute("INSERT INTO asyncpg_check VALUES (1, 'one')")
            with fails(asyncpg.UniqueViolationError):
                async with db.transaction():
                    await db.execute("INSERT INTO asyncpg_check VALUES (1, 'again')")
            same(1, await db.fetchval("SELECT count(*) FROM asyncpg_check"))
        same(1, await db.fetchval("SELECT count(*) FROM asyncpg_check"))
    async with check("a cursor"):
        async with db.transaction():
            cursor = await db.cursor("SELECT generate_series(1, $1::int)", 250)
            same([100, 100, 50], [len(await cursor.fetch(100)) for _ in range(3)])
            same(1000, len([row async for row in db.cursor("SELECT generate_series(1, 1000)", prefetch=7)]))
    async with check("COPY of records"):
        await db.execute("TRUNCATE asyncpg_check")
        records = [(i, f"note, {i}", None) for i in range(10000)]
        same("COPY 10000", await db.copy_records_to_table("asyncpg_check", records=records))
        same(records, [tuple(row) for row in await db.fetch("SELECT * FROM asyncpg_check ORDER BY id")])
    async with check("COPY of files both ways"):
        text = io.BytesIO()
        await db.copy_from_query("SELECT id, note FROM asyncpg_check ORDER BY id", output=text, format="csv")
        same("".join(f'{i},"note, {i}"\n' for i in range(10000)), text.getvalue().decode())
        await db.execute("TRUNCATE asyncpg_check")
        text.seek(0)
        same("COPY 10000", await db.copy_to_table("asyncpg_check", source=text, format="csv", columns=["id", "note"]))
    async with check("COPY of a row that is refused"):
        with fails(asyncpg.UniqueViolationError):
            await db.copy_records_to_table("asyncpg_check", records=[(1, "again", None)])
        same(10000, await db.fetchval("SELECT count(*) FROM asyncpg_check"))
    async with check("many rows at once, all or none"):
        with fails(asyncpg.UniqueViolationError):
            await db.executemany("INSERT INTO asyncpg_check VALUES ($1, $2)", [(20000, "a"), (20001, "b"), (1, "c")])
        same(10000, await db.fetchval("SELECT count(*) FROM asyncpg_check"))
    async with check("a result that has changed its type"):
        same(3, len(await db.fetchrow("SELECT * FROM asyncpg_check WHERE id = $1", 1)))
        await db.execute("ALTER TABLE asyncpg_check ADD COLUMN more int DEFAULT 5")
        same(4, len(await db.fetchrow("SELECT * FROM asyncpg_check WHERE id = $1", 1)))
    await db.execute("DROP TABLE asyncpg_check; DROP TYPE asyncpg_mood")


async def sharded(db):
    async with check("each tenant's rows, by one prepared statement"):
        statement = await db.prepare(QUERY)
        for tenant in TENANTS * 3:
            same(ITEMS, [row["item"] for row in await statement.fetch(tenant)])
    async with check("all tenants' rows"):
        same(18, len(await db.fetch("SELECT tenant_id, id FROM orders")))
    async with check("a transaction that is rolled back"):
        read = "SELECT email FROM users WHERE tenant_id = $1 AND id = $2"
        transaction = db.transaction()
        await transaction.start()
        await db.execute("INSERT INTO users VALUES ($1, $2, 'asyncpg')", "wayne", 940)
        same("asyncpg", await db.fetchval(read, "wayne", 940))
        await transaction.rollback()
        same(None, await db.fetchval(read, "wayne", 940))
    async with check("a transaction in a transaction that fails"):
        async with db.transaction():
            await db.execute("INSERT INTO users VALUES ('wayne', 941, 'asyncpg')")
            with fails(asyncpg.UniqueViolationError):
                async with db.transaction():
                    await db.execute("INSERT INTO users VALUES ('wayne', 941, 'again')")
            same("DELETE 1", await db.execute("DELETE FROM users WHERE tenant_id = 'wayne' AND id = 941"))
    async with check("many tenants at once, by a pool"):
        async with asyncpg.create_pool(min_size=1, max_size=5) as pool:
            for rows in await asyncio.gather(*(pool.fetch(QUERY, tenant) for tenant in TENANTS * 20)):
                same(ITEMS, [row["item"] for row in rows])
    async with check("a tenant that nobody knows"):
        with fails(asyncpg.SerializationError):
            await db.fetch(QUERY, "nobody")
    async with check("many rows of several tenants"):
        await db.executemany("INSERT INTO users VALUES ($1, $2, 'many')", [(t, 950 + i) for t in TENANTS for i in range(10)])
        for tenant in TENANTS:
            same("DELETE 10", await db.execute("DELETE FROM users WHERE tenant_id = $1 AND email = 'many'", tenant))
    async with check("COPY of records (binary) and of a file to several tenants, and back"):
        records = [(tenant, 1000 + i, "copied") for i in range(1000) for tenant in TENANTS]
        same("COPY 5000", await db.copy_records_to_table("users", records=records))
        text = io.BytesIO("".join(f'{t},{5000 + i},"copied, too"\n' for i in range(10) for t in TENANTS).encode())
        same("COPY 50", await db.copy_to_table("users", source=text, format="csv", columns=["tenant_id", "id", "email"]))
        out = io.BytesIO()
        same("COPY 5050", await db.copy_from_query(
            "SELECT tenant_id, id FROM users WHERE id >= 1000", output=out, format="csv"))
        same(sorted(f"{t},{i}" for t in TENANTS for i in [*range(1000, 2000), *range(5000, 5010)]),
             sorted(out.getvalue().decode().split()))
        with fails(asyncpg.UniqueViolationError):
            await db.copy_records_to_table("users", records=[("wayne", 7000, "new"), ("acme", 1000, "again")])
        with fails(asyncpg.SerializationError):
            await db.copy_records_to_table("users", records=[("wayne", 7000, "new"), ("nobody", 1, "unknown")])
        same(0, await db.fetchval("SELECT count(*) FROM users WHERE tenant_id = 'wayne' AND id = 7000"))
        for tenant in TENANTS:
            same("DELETE 1010", await db.execute("DELETE FROM users WHERE tenant_id = $1 AND id >= 1000", tenant))
    async with check("a new tenant, and its first row"):
        await db.execute("INSERT INTO tenants VALUES ($1, $2, $3)", "asyncpg-child", "initech", "Asyncpg")
        await db.execute("INSERT INTO users VALUES ($1, $2, $3)", "asyncpg-child", 1, "child")
        same((1, "child"), tuple(await db.fetchrow("SELECT id, email FROM users WHERE tenant_id = $1", "asyncpg-child")))
        await db.execute("DELETE FROM users WHERE tenant_id = $1", "asyncpg-child")
        await db.execute("DELETE FROM tenants WHERE id = $1", "asyncpg-child")


async def main():
    print(f"asyncpg {asyncpg.__version__}")
    db = await asyncpg.connect(timeout=10)
    try:
        await everywhere(db)
        await (sharded if SHARDED else one_shard)(db)
    finally:
        await db.close()
    checks.end()


asyncio.run(main())
