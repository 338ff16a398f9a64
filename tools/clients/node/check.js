// Checks node-postgres. node check.js session|transaction|sharded; the connection stands in PGHOST and so on.
'use strict'

const assert = require('node:assert/strict')
const { once } = require('node:events')
const { Readable } = require('node:stream')
const { pipeline } = require('node:stream/promises')
const pg = require('pg')
const Cursor = require('pg-cursor')
const copy = require('pg-copy-streams')

const place = process.argv[2]
let differences = 0

async function check(name, body) {
  try {
    await body()
    console.log(`ok: ${name}`)
  } catch (fault) {
    differences++
    console.log(`DIFFERS: ${name}\n  ${String(fault.stack).replaceAll('\n', '\n  ')}`)
  }
}

async function connected(use) {
  const client = new pg.Client()
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const fails = (promise, code) => assert.rejects(promise, (fault) => (assert.equal(fault.code, code), true))
const within = (millis, promise) =>
  Promise.race([promise, new Promise((_, no) => setTimeout(() => no(new Error(`not within ${millis} ms`)), millis).unref())])

/** What holds on one shard and on several. */
async function everywhere(client) {
  await check('a simple query of several statements', async () => {
    const results = await client.query('SELECT 1 AS a; SELECT 2 AS b, 3 AS c')
    assert.deepEqual(results.map((result) => result.rows), [[{ a: 1 }], [{ b: 2, c: 3 }]])
  })
  await check('parameters and types', async () => {
    const { rows } = await client.query(
      `SELECT $1::int AS i, $2::text AS t, $3::int[] AS a, $4::jsonb AS j, $5::bytea AS b, $6::timestamptz AS z,
        $7::numeric AS n, $8::bool AS f, $9::bigint AS l, $10::float8 AS d, NULL::text AS nothing`,
      [7, 'snö', [1, null, 3], { a: [1, { b: null }] }, Buffer.from([0, 255, 16]), new Date('2024-02-29T12:30:00.125Z'),
        '123456789012345678901234567890.5', true, '9007199254740993', 0.1])
    assert.deepEqual(rows, [{
      i: 7, t: 'snö', a: [1, null, 3], j: { a: [1, { b: null }] }, b: Buffer.from([0, 255, 16]),
      z: new Date('2024-02-29T12:30:00.125Z'), n: '123456789012345678901234567890.5', f: true, l: '9007199254740993', d: 0.1,
      nothing: null
    }])
  })
  await check('a named statement used again', async () => {
    for (let i = 0; i < 20; i++) {
      const { rows } = await client.query({ name: 'twice', text: 'SELECT 2 * $1::int AS n', values: [i] })
      assert.deepEqual(rows, [{ n: 2 * i }])
    }
  })
  await check('the same name with another text on another client', () => connected(async (other) => {
    const { rows } = await other.query({ name: 'twice', text: 'SELECT 3 * $1::int AS n', values: [5] })
    assert.deepEqual(rows, [{ n: 15 }])
    const again = await client.query({ name: 'twice', text: 'SELECT 2 * $1::int AS n', values: [5] })
    assert.deepEqual(again.rows, [{ n: 10 }])
  }))
  await check('many queries that are not waited for', async () => {
    const numbers = [...Array(200).keys()]
    const results = await Promise.all(numbers.map((i) => client.query('SELECT $1::int AS n', [i])))
    assert.deepEqual(results.map((result) => result.rows[0].n), numbers)
  })
  await check('an error among them hits itself alone', async () => {
    const results = await Promise.allSettled(
      [client.query('SELECT 1 AS n'), client.query('SELECT 1 / $1::int', [0]), client.query('SELECT $1::int AS n', [3])])
    assert.deepEqual(results.map((result) => result.status), ['fulfilled', 'rejected', 'fulfilled'])
    assert.equal(results[1].reason.code, '22012')
    assert.equal(results[2].value.rows[0].n, 3)
  })
  await check('a big result', async () => {
    const { rows } = await client.query("SELECT g, repeat('x', 100) AS x FROM generate_series(1, 50000) g")
    assert.equal(rows.length, 50000)
    assert.equal(rows.reduce((sum, row) => sum + row.g, 0), 1250025000)
  })
  await check('a value of 8 MB', async () => {
    const { rows } = await client.query('SELECT md5($1::text) AS m, length($1) AS l', ['é'.repeat(4 << 20)])
    assert.equal(rows[0].l, 4 << 20)
  })
  await check('settings of a session', async () => {
    await client.query("SET TIME ZONE 'Asia/Tokyo'")
    const { rows } = await client.query("SELECT '2024-02-29 12:00:00Z'::timestamptz::text AS t")
    assert.deepEqual(rows, [{ t: '2024-02-29 21:00:00+09' }])
    await client.query('RESET TIME ZONE')
  })
  await check('a cancel', async () => {
    const sleeping = client.query('SELECT pg_sleep(30)')
    const cancelling = new pg.Client()
    await new Promise((done) => setTimeout(done, 300))
    cancelling.cancel(client, client.activeQuery ?? client._getActiveQuery())
    await within(10000, fails(sleeping, '57014'))
    assert.deepEqual((await client.query('SELECT 1 AS n')).rows, [{ n: 1 }])
  })
  await check('a pool of clients', async () => {
    const pool = new pg.Pool({ max: 5 })
    const numbers = [...Array(100).keys()]
    const results = await Promise.all(numbers.map((i) => pool.query('SELECT $1::int AS n', [i])))
    assert.deepEqual(results.map((result) => result.rows[0].n), numbers)
    await pool.end()
  })
  await check('a wrong password', () =>
    fails(new pg.Client({ password: 'wrong' }).connect(), '28P01'))
  await check('LISTEN and NOTIFY, at rest', () => connected(async (sender) => {
    const heard = []
    client.on('notification', (message) => heard.push([message.channel, message.payload]))
    await client.query('LISTEN node_news')
    await sender.query("NOTIFY node_news, 'one'")
    await sender.query(place === 'sharded' ? "NOTIFY node_news, 'two'" : "SELECT pg_notify('node_news', 'two')")
    while (heard.length < 2) {
      await within(10000, once(client, 'notification'))
    }
    assert.deepEqual(heard, [['node_news', 'one'], ['node_news', 'two']])
    await client.query('UNLISTEN *')
    client.removeAllListeners('notification')
  }))
}

async function oneShard(client) {
  await client.query('DROP TABLE IF EXISTS node_check')
  await client.query('CREATE TABLE node_check (id int PRIMARY KEY, note text)')
  await check('a transaction that is rolled back', async () => {
    await client.query('BEGIN')
    const inserted = await client.query("INSERT INTO node_check VALUES ($1, 'one') RETURNING *", [1])
    assert.deepEqual(inserted.rows, [{ id: 1, note: 'one' }])
    assert.equal(inserted.rowCount, 1)
    await client.query('ROLLBACK')
    assert.deepEqual((await client.query('SELECT * FROM node_check')).rows, [])
  })
  await check('a transaction that fails', async () => {
    await client.query('BEGIN')
    await fails(client.query('SELECT 1 / 0'), '22012')
    await fails(client.query('SELECT 1'), '25P02')
    assert.equal((await client.query('COMMIT')).command, 'ROLLBACK')
  })
  await check('a cursor', async () => {
    const cursor = client.query(new Cursor('SELECT g FROM generate_series(1, $1::int) g', [250]))
    const sizes = []
    for (let rows = await cursor.read(100); rows.length > 0; rows = await cursor.read(100)) {
      sizes.push(rows.length)
    }
    assert.deepEqual(sizes, [100, 100, 50])
    await cursor.close()
  })
  await check('a cursor that is closed early', async () => {
    const cursor = client.query(new Cursor('SELECT g FROM generate_series(1, 1000) g'))
    assert.equal((await cursor.read(10)).length, 10)
    await cursor.close()
    assert.deepEqual((await client.query('SELECT 1 AS n')).rows, [{ n: 1 }])
  })
  await check('COPY both ways', async () => {
    const lines = [...Array(20000).keys()].map((i) => `${i}\tnote ${i}\n`)
    await pipeline(Readable.from(lines), client.query(copy.from('COPY node_check FROM STDIN')))
    let text = ''
    const out = client.query(copy.to('COPY (SELECT * FROM node_check ORDER BY id) TO STDOUT'))
    for await (const chunk of out) {
      text += chunk
    }
    assert.equal(text, lines.join(''))
  })
  await check('COPY of a row that is refused', async () => {
    await fails(pipeline(Readable.from(['1\tagain\n']), client.query(copy.from('COPY node_check FROM STDIN'))), '23505')
    assert.deepEqual((await client.query('SELECT count(*)::int AS n FROM node_check')).rows, [{ n: 20000 }])
  })
  await client.query('DROP TABLE node_check')
}

async function sharded(client) {
  const items = ['anvil', 'rocket skates', 'giant magnet']
  await check("each tenant's rows, by one named statement", async () => {
    for (const tenant of ['acme', 'wayne-labs', 'initech', 'acme-tokyo', 'wayne']) {
      const { rows } = await client.query(
        { name: 'items', text: 'SELECT tenant_id, item FROM orders WHERE tenant_id = $1 ORDER BY id', values: [tenant] })
      assert.deepEqual(rows, items.map((item) => ({ tenant_id: tenant, item })))
    }
  })
  await check("all tenants' rows", async () => {
    assert.equal((await client.query('SELECT tenant_id, id FROM orders')).rows.length, 18)
  })
  await check('a transaction that is rolled back', async () => {
    await client.query('BEGIN')
    await client.query("INSERT INTO users VALUES ($1, $2, 'node')", ['wayne', 910])
    const read = { text: 'SELECT email FROM users WHERE tenant_id = $1 AND id = $2', values: ['wayne', 910] }
    assert.deepEqual((await client.query(read)).rows, [{ email: 'node' }])
    await client.query('ROLLBACK')
    assert.deepEqual((await client.query(read)).rows, [])
  })
  await check('a transaction that fails', async () => {
    await client.query('BEGIN')
    await fails(client.query("INSERT INTO users VALUES ($1, 1, 'again')", ['wayne']), '23505')
    await fails(client.query('SELECT 1'), '25P02')
    assert.equal((await client.query('COMMIT')).command, 'ROLLBACK')
  })
  await check('many tenants at once', async () => {
    const tenants = ['acme', 'wayne-labs', 'initech', 'acme-tokyo', 'wayne']
    const results = await Promise.all([...Array(100).keys()].map((i) =>
      client.query('SELECT DISTINCT tenant_id FROM orders WHERE tenant_id = $1', [tenants[i % 5]])))
    assert.deepEqual(results.map((result) => result.rows), [...Array(100).keys()].map((i) => [{ tenant_id: tenants[i % 5] }]))
  })
  await check('a tenant that nobody knows', () =>
    fails(client.query('SELECT 1 FROM orders WHERE tenant_id = $1', ['nobody']), '40001'))
  await check('COPY both ways, to and from several tenants', async () => {
    const tenants = ['acme', 'wayne-labs', 'initech', 'acme-tokyo', 'wayne']
    const lines = [...Array(5000).keys()].map((i) => `${tenants[i % 5]}\t${1000 + i}\tcopied\n`)
    await pipeline(Readable.from(lines), client.query(copy.from('COPY users FROM STDIN')))
    const chunks = []
    for await (const chunk of client.query(copy.to("COPY (SELECT * FROM users WHERE email = 'copied') TO STDOUT"))) {
      chunks.push(chunk)
    }
    const back = Buffer.concat(chunks).toString().trimEnd().split('\n').map((line) => line + '\n')
    assert.deepEqual(back.sort(), lines.sort())
    await fails(
      pipeline(Readable.from(['wayne\t9000\tnew\n', 'nobody\t1\tunknown\n']), client.query(copy.from('COPY users FROM STDIN'))), '40001')
    for (const tenant of tenants) {
      assert.equal((await client.query('DELETE FROM users WHERE tenant_id = $1 AND id >= 1000', [tenant])).rowCount, 1000)
    }
  })
  await check('a new tenant, and its first row', async () => {
    await client.query('INSERT INTO tenants VALUES ($1, $2, $3)', ['node-child', 'initech', 'Node'])
    await client.query('INSERT INTO users VALUES ($1, $2, $3)', ['node-child', 1, 'node@child.example'])
    assert.deepEqual((await client.query('SELECT id, email FROM users WHERE tenant_id = $1', ['node-child'])).rows,
      [{ id: '1', email: 'node@child.example' }])
    await client.query('DELETE FROM users WHERE tenant_id = $1', ['node-child'])
    await client.query('DELETE FROM tenants WHERE id = $1', ['node-child'])
  })
}

async function main() {
  console.log(`node-postgres ${require('pg/package.json').version} on node ${process.version}`)
  await connected(async (client) => {
    await everywhere(client)
    await (place === 'sharded' ? sharded(client) : oneShard(client))
  })
  if (differences > 0) {
    console.log(`${differences} differences`)
    process.exitCode = 1
  }
}

main().catch((fault) => {
  console.log(fault)
  process.exitCode = 1
})
