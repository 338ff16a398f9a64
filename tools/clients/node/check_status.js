// Checks the status page in Chromium. node check_status.js session|transaction|sharded; the connection stands in PGHOST and
// so on, the page's address in STATUS_PAGE. SCREENSHOT names a file for a picture of it.
'use strict'

const assert = require('node:assert/strict')
const pg = require('pg')
const { chromium } = require('playwright-core')

const page = process.env.STATUS_PAGE
const shards = process.argv[2] === 'sharded' ? 3 : 1
const LATEST_MILLIS = 15_000
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

/** The cells of the table under a heading, by the names of its columns. */
function rows(tab, heading) {
  return tab.evaluate((wanted) => {
    const title = [...document.querySelectorAll('h2')].find((each) => each.textContent === wanted)
    const table = title.nextElementSibling
    const names = [...table.querySelectorAll('th')].map((each) => each.textContent)
    return [...table.querySelectorAll('tr')]
      .map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent))
      .filter((cells) => cells.length === names.length)
      .map((cells) => Object.fromEntries(names.map((name, i) => [name, cells[i]])))
  }, heading)
}

async function until(what, condition) {
  const latest = Date.now() + LATEST_MILLIS
  while (!(await condition())) {
    assert(Date.now() < latest, `not within ${LATEST_MILLIS} ms: ${what}`)
    await new Promise((go) => setTimeout(go, 100))
  }
}

/** Some more clients than the pool has connections, for a picture. */
async function underLoad(body) {
  let over = false
  const statements = [
    "SELECT * FROM orders WHERE tenant_id = 'acme'",
    "SELECT count(*), pg_sleep(0.01) FROM orders WHERE tenant_id = 'wayne'",
    "UPDATE users SET email = email WHERE tenant_id = 'initech'",
    "SELECT * FROM orders WHERE tenant_id = 'nobody'",
    'SELECT * FROM orders',
  ]
  const clients = [...Array(30).keys()].map(async (number) => {
    const client = new pg.Client()
    await client.connect()
    for (let i = number; !over; i++) {
      await client.query(statements[i % statements.length]).catch(() => {})
    }
    await client.end()
  })
  try {
    await body()
  } finally {
    over = true
    await Promise.all(clients)
  }
}

async function main() {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'],
  })
  console.log(`Chromium ${browser.version()}`)
  try {
    const tab = await browser.newPage({ viewport: { width: 1500, height: 900 } })
    const faults = []
    const addresses = new Set()
    tab.on('pageerror', (fault) => faults.push(String(fault)))
    tab.on('console', (line) => line.type() === 'error' && faults.push(line.text()))
    tab.on('request', (request) => addresses.add(new URL(request.url()).origin))
    await tab.goto(page)

    await check('a row for each pool', async () => {
      const pools = await rows(tab, 'Pools')
      assert.equal(pools.length, shards)
      assert(pools.every((pool) => pool.database === process.env.PGDATABASE && pool.state === 'up'))
    })
    await check('what runs shows without another visit', async () => {
      const client = new pg.Client()
      client.on('error', () => {}) // its connection is cut below
      await client.connect()
      const slow = client.query('SELECT pg_sleep(600)').catch((fault) => fault)
      const active = async () => (await rows(tab, 'Pools')).reduce((sum, pool) => sum + Number(pool.active), 0)
      await until('one connection is active', async () => (await active()) === 1)
      client.connection.stream.destroy()
      await slow
      await until('none is active', async () => (await active()) === 0)
    })
    if (process.env.SCREENSHOT) {
      await underLoad(async () => {
        await tab.waitForTimeout(25_000)
        await tab.screenshot({ path: process.env.SCREENSHOT, fullPage: true })
      })
    }
    await check('the lookup map has a row', async () => {
      if (shards > 1) {
        assert.deepEqual((await rows(tab, 'Lookup maps')).map((map) => map.table), ['tenants'])
      }
    })
    await check('without JavaScript the tables are there', async () => {
      const plain = await browser.newPage({ javaScriptEnabled: false })
      await plain.goto(page)
      assert((await plain.locator('h2').allTextContents()).includes('Pools'))
      assert((await plain.locator('td').allTextContents()).includes(process.env.PGDATABASE))
    })
    await check('no fault, and nothing of another place', async () => {
      assert.deepEqual(faults, [])
      assert.deepEqual([...addresses], [new URL(page).origin])
    })
  } finally {
    await browser.close()
  }
  process.exit(differences === 0 ? 0 : 1)
}

main().catch((fault) => {
  console.log(String(fault.stack))
  process.exit(1)
})
