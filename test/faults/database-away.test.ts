import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Chasm, openChasm } from '../support/chasm.ts'
import { slowness } from '../support/clock.ts'
import { type OwnPostgres, ownPostgres } from '../support/postgres.ts'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { storefront } from '../support/storefront.ts'
import { often } from '../support/thorough.ts'
import { until } from '../support/until.ts'

/** `DATABASE_RESTARTS=20` soaks. */
const RESTARTS = Number(process.env.DATABASE_RESTARTS ?? often({ quick: 2, thorough: 4 }))
const CLIENTS = 6
/** What one client waits at most, whatever the database does. */
const PATIENCE_MS = 8_000
const WHOLE_WITHIN_MS = 2_000 * slowness()
/** Where everything else is slow as well. */
const WHOLE_AT_LAST_MS = 5 * WHOLE_WITHIN_MS
const AWAY_MS = 6_000

interface Heard {
  readonly status: number
  readonly code: string | undefined
  readonly retryAfter: string | null
  readonly ms: number
}

let database: OwnPostgres
let way: Chasm
let server: ServerProcess
let shop: Awaited<ReturnType<ReturnType<typeof storefront>['open']>>
let carrier: string
/** References of the parcels that the receiver was told to be submitted. */
const told = new Set<string>()
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { data } = (await request.json()) as { data: { toStatus: string; parcel: { reference: string } } }
    if (data.toStatus === 'submitted') told.add(data.parcel.reference)
    return new Response('ok')
  },
})

beforeAll(async () => {
  database = await ownPostgres()
  way = await openChasm(database.port)
  const url = database.url.replace(`:${database.port}`, `:${way.port}`)
  server = await spawnServer({ DATABASE_URL: url, DATABASE_POOL: '12' })
  const { open, ok } = storefront(server.url)
  shop = await open()
  const connection = { enabled: true, credentials: { webhookSecret: 'rehearsal' }, settings: {} }
  carrier = (await ok('PUT', `/v1/stores/${shop.storeId}/integrations/sandbox`, shop.as, connection)).id
  await ok('POST', '/v1/webhook-endpoints', shop.key, {
    url: `http://127.0.0.1:${receiver.port}/`,
    events: ['parcel.status_changed'],
  })
}, 120_000)
afterAll(async () => {
  await database.thaw().catch(() => {})
  await server.stop()
  await way.close()
  await database.stop('immediate').catch(() => {})
  await receiver.stop(true)
})

const parcel = (reference: string) => ({
  reference,
  recipient: { name: 'Amina', phone: '0550123456' },
  codAmount: 1200,
  destination: { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' },
})

async function post(reference: string, { url, key } = { url: server.url, key: shop.key }): Promise<Heard> {
  const began = performance.now()
  const answer = await fetch(`${url}/v1/parcels`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': reference },
    body: JSON.stringify(parcel(reference)),
    signal: AbortSignal.timeout(60_000),
  })
  const body = (await answer.json()) as { error?: { code: string } }
  return {
    status: answer.status,
    code: body.error?.code,
    retryAfter: answer.headers.get('retry-after'),
    ms: performance.now() - began,
  }
}

/** Six clients that write until told to stop; gives all that they heard, and what was acknowledged. */
function load(name: string, at?: { url: string; key: string }) {
  let going = true
  const heard: Heard[] = []
  const acknowledged: string[] = []
  const client = async (who: number) => {
    for (let turn = 0; going; turn += 1) {
      const reference = `${name}-${who}-${turn}`
      const answer = await post(reference, at)
      heard.push(answer)
      if (answer.status === 201) acknowledged.push(reference)
      await Bun.sleep(answer.status === 201 ? 5 : 20)
    }
  }
  const running = Promise.all(Array.from({ length: CLIENTS }, (_, who) => client(who)))
  return {
    heard,
    async stop() {
      going = false
      await running
      return { heard, acknowledged }
    },
  }
}

/** As many at once as there are connections, and as many again: all are served. */
async function isWhole(name: string, at?: { url: string; key: string }): Promise<number> {
  const began = performance.now()
  for (let round = 0; ; round += 1) {
    const answers = await Promise.all(Array.from({ length: 24 }, (_, place) => post(`${name}-${round}-${place}`, at)))
    if (answers.every(({ status }) => status === 201)) return performance.now() - began
    if (performance.now() - began > 30_000) return Number.POSITIVE_INFINITY
    await Bun.sleep(50)
  }
}

/** What is done in the background goes on too: a parcel is handed over, and the storefront is told. */
async function works(reference: string): Promise<number> {
  const began = performance.now()
  const { ok } = storefront(server.url)
  const sent = await ok('POST', '/v1/parcels', shop.key, { ...parcel(reference), carrierAccountId: carrier, submit: true })
  expect(sent.status).toBe('submitted')
  while (!told.has(reference) && performance.now() - began < 30_000) await Bun.sleep(20)
  return performance.now() - began
}

const wrong = (heard: readonly Heard[]) =>
  heard.filter(({ status, code, retryAfter }) => status !== 201 && !(status === 503 && code === 'unavailable' && Number(retryAfter) >= 1))

async function keptReferences(): Promise<Map<string, number>> {
  const { ask } = storefront(server.url)
  const kept = new Map<string, number>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: { data: { reference: string }[]; nextCursor: string | null } = (
      await ask('GET', `/v1/parcels?limit=100${cursor && `&cursor=${cursor}`}`, shop.key)
    ).body
    for (const { reference } of page.data) kept.set(reference, (kept.get(reference) ?? 0) + 1)
    cursor = page.nextCursor
  }
  return kept
}

describe('the database is restarted under load', () => {
  const waits: number[] = []
  const wholeAfter: number[] = []
  for (let at = 0; at < RESTARTS; at += 1) {
    const mode = at % 2 === 0 ? 'fast' : 'immediate'
    test(`${mode}, time ${at + 1}: the process lives, callers hear 503 meanwhile, and all is whole again`, async () => {
      const clients = load(`restart${at}`)
      await Bun.sleep(700)
      await database.restart(mode)
      wholeAfter.push(await isWhole(`whole${at}`))
      await Bun.sleep(300)
      const { heard, acknowledged } = await clients.stop()
      waits.push(...heard.map(({ ms }) => ms))
      expect(wrong(heard)).toEqual([])
      expect(wholeAfter.at(-1)).toBeLessThan(WHOLE_AT_LAST_MS)
      expect(await works(`works${at}`)).toBeLessThan(5_000)
      expect(Math.max(...heard.map(({ ms }) => ms))).toBeLessThan(PATIENCE_MS)
      const kept = await keptReferences()
      expect(acknowledged.filter((reference) => kept.get(reference) !== 1)).toEqual([])
    }, 120_000)
  }
  test('all is whole within two seconds, and nobody waited for long', () => {
    expect(Math.min(...wholeAfter)).toBeLessThan(WHOLE_WITHIN_MS)
    waits.sort((a, b) => a - b)
    const of = (part: number) => Math.round(waits[Math.floor(waits.length * part)] ?? 0)
    console.log(`${RESTARTS} restarts, ${waits.length} requests: p50 ${of(0.5)} ms, p99 ${of(0.99)} ms, longest ${of(0.99999)} ms`)
    expect(waits.length).toBeGreaterThan(100)
  })
})

test('a database that is stopped is said to be away, and what needs none is served', async () => {
  const clients = load('stopped')
  await Bun.sleep(300)
  await database.stop('immediate')
  await Bun.sleep(AWAY_MS)
  const health = await fetch(`${server.url}/health/check`)
  expect([health.status, ((await health.json()) as { checks: object }).checks]).toMatchObject([503, { database: 'unreachable' }])
  expect((await fetch(`${server.url}/openapi.json`)).status).toBe(200)
  const refused = await post('while-stopped')
  expect([refused.status, refused.code]).toEqual([503, 'unavailable'])
  expect(refused.ms).toBeLessThan(1_000)
  await database.start()
  expect(await isWhole('started')).toBeLessThan(WHOLE_AT_LAST_MS)
  expect(await works('works-started')).toBeLessThan(5_000)
  const { heard } = await clients.stop()
  expect(wrong(heard)).toEqual([])
}, 120_000)

test('a database that is frozen is given up within the deadline, and found again when it thaws', async () => {
  const clients = load('frozen')
  await Bun.sleep(500)
  await database.freeze()
  const held = await post('held')
  expect([held.status, held.code]).toEqual([503, 'unavailable'])
  expect(held.ms).toBeLessThan(PATIENCE_MS)
  const quick = await post('quick')
  expect([quick.status, quick.ms < 500]).toEqual([503, true])
  expect((await fetch(`${server.url}/health/check`)).status).toBe(503)
  await database.thaw()
  expect(await isWhole('thawed')).toBeLessThan(WHOLE_AT_LAST_MS)
  expect(await works('works-thawed')).toBeLessThan(5_000)
  const { heard, acknowledged } = await clients.stop()
  expect(wrong(heard)).toEqual([])
  const kept = await keptReferences()
  expect(acknowledged.filter((reference) => kept.get(reference) !== 1)).toEqual([])
}, 120_000)

test('a network that swallows everything is given up, and new connections are made where the old ones stay silent', async () => {
  const clients = load('swallowed')
  await Bun.sleep(500)
  way.swallow()
  const held = await post('swallowed')
  expect([held.status, held.code]).toEqual([503, 'unavailable'])
  expect(held.ms).toBeLessThan(PATIENCE_MS)
  await Bun.sleep(4_000)
  way.restore()
  expect(await isWhole('restored')).toBeLessThan(WHOLE_AT_LAST_MS + 3_000)
  expect(await works('works-restored')).toBeLessThan(5_000)
  const { heard, acknowledged } = await clients.stop()
  expect(wrong(heard)).toEqual([])
  const kept = await keptReferences()
  expect(acknowledged.filter((reference) => kept.get(reference) !== 1)).toEqual([])
}, 120_000)

test('the embedded database is killed under load: it is started again, and nobody waits for long', async () => {
  const embedded = await spawnServer()
  try {
    const { key } = await storefront(embedded.url).open()
    const at = { url: embedded.url, key }
    const wholeAfter: number[] = []
    for (let kills = 0; kills < 3; kills += 1) {
      const clients = load(`killed${kills}`, at)
      await Bun.sleep(500)
      await embedded.killDatabase()
      const known = async () => (await fetch(`${embedded.url}/health/check`)).ok
      // Where this process was held up, it may be over already.
      for (const until = performance.now() + 3_000; performance.now() < until && (await known()); ) await Bun.sleep(10)
      await until(known)
      wholeAfter.push(await isWhole(`whole${kills}`, at))
      expect(wholeAfter.at(-1)).toBeLessThan(WHOLE_AT_LAST_MS)
      const { heard } = await clients.stop()
      expect(wrong(heard)).toEqual([])
      expect(Math.max(...heard.map(({ ms }) => ms))).toBeLessThan(PATIENCE_MS)
    }
    expect(Math.min(...wholeAfter)).toBeLessThan(WHOLE_WITHIN_MS)
  } finally {
    await embedded.stop()
  }
}, 120_000)
