import { afterAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { type Connection, connectPool } from '../../core/data/sql.ts'
import { findDifferences, findDrift } from '../support/checks.ts'
import { connectionUrl, external } from '../support/database.ts'
import { spawnServer } from '../support/process.ts'
import { shoppers } from '../support/shoppers.ts'
import { storefront } from '../support/storefront.ts'
import { often } from '../support/thorough.ts'
import { until, untilValue } from '../support/until.ts'

const KILLS = often({ quick: 2, thorough: 3 })
const WRITERS = 5
const SHOPPERS = 3
/** Less than a write takes: most of them are in the midst of one whenever it is killed. */
const PAUSE_MS = 5

const given = await connectionUrl()
const server = await spawnServer(given)
const connection = (): Connection =>
  given.DATABASE_URL
    ? { url: given.DATABASE_URL }
    : { socketDir: join(server.dataDir, 'postgres'), port: 5432, user: 'serai', database: 'postgres' }
const heard = new Map<string, number>()
let secret = ''
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const raw = await request.text()
    const [, at, signature] = /^t=(\d+),v1=([0-9a-f]{64})/.exec(request.headers.get('x-service-cloud-signature') ?? '') ?? []
    if (createHmac('sha256', secret).update(`${at}.${raw}`).digest('hex') !== signature) return new Response('forged', { status: 400 })
    const { type, data } = JSON.parse(raw) as { type: string; data: { parcel: { id: string } } }
    if (type === 'parcel.created') heard.set(data.parcel.id, (heard.get(data.parcel.id) ?? 0) + 1)
    return new Response('ok')
  },
})
afterAll(async () => {
  await server.stop()
  await receiver.stop(true)
})

/** What the nightly checks find, whatever is being written meanwhile. */
async function disagreements() {
  const sql = connectPool(connection(), 1)
  const found = [...(await findDifferences(sql)), ...(await findDrift(sql))]
  await sql.end()
  return found
}

test('killed while clients write: no acknowledged write is lost, no webhook of a committed change is lost, nothing needs a hand', async () => {
  const client = storefront(server.url)
  const { ok, ask, open } = client
  const { key, projectId } = await open()
  const people = await shoppers(client, await open(), SHOPPERS)
  ;({ secret } = await ok('POST', '/v1/webhook-endpoints', key, {
    url: `http://127.0.0.1:${receiver.port}/hooks`,
    events: ['parcel.created'],
  }))
  const acknowledged: string[] = []
  let writing = true
  const writer = async (who: number) => {
    for (let at = 0; writing; at += 1) {
      const { status, body } = await ask(
        'POST',
        '/v1/parcels',
        key,
        {
          reference: `${who}-${at}`,
          recipient: { name: 'Amina', phone: '0550123456' },
          codAmount: 1200,
          destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' },
        },
        { 'idempotency-key': `write-${who}-${at}` },
      )
      expect(status).toBe(201)
      acknowledged.push(body.data.id)
      await Bun.sleep(PAUSE_MS)
    }
  }
  const writers = [...Array.from({ length: WRITERS }, (_, who) => writer(who)), people.all(() => writing)]
  for (let kills = 0; kills < KILLS; kills += 1) {
    await Bun.sleep(700 + Math.random() * 600)
    // The second time the embedded database dies with it.
    await server.kill({ database: kills === 1 && !external.databaseUrl })
    await server.start()
    // Each time orders, returns and stock agree, as those who go on make more of them.
    expect(await disagreements()).toEqual([])
  }
  await Bun.sleep(500)
  await until(() => acknowledged.length > 100 && people.rounds() >= 10, 180_000)
  writing = false
  await Promise.all(writers)

  const sql = connectPool(connection(), 1)
  const { answered, found } = await people.account(sql)
  await sql.end()
  expect(found).toEqual(answered)
  expect(await disagreements()).toEqual([])

  const kept = new Set<string>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { data: { id: string }[]; nextCursor: string | null } = (
      await ask('GET', `/v1/parcels?limit=100${cursor && `&cursor=${cursor}`}`, key)
    ).body
    for (const { id } of page.data) kept.add(id)
    cursor = page.nextCursor
  }
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
  // One parcel a reference: a repeat after a crash made no second one.
  expect(kept.size).toBe(new Set(acknowledged).size)
  // Where others may live, what a killed process had in hand is taken up when its lease is over.
  await untilValue(
    () => [...kept].filter((id) => !heard.has(id)),
    (silent) => silent.length === 0,
    90_000,
  )
  expect(projectId).toStartWith('prj_')
}, 300_000)
