import { afterAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { buildApp } from '../../../core/app.ts'
import { readConfig } from '../../../core/config.ts'
import { runAs } from '../../../core/data/tenant-context.ts'
import type { BackgroundWork } from '../../../core/feature.ts'
import { features } from '../../../core/features.ts'
import { scopes } from '../../../core/http/auth/scopes.ts'
import { drainChanges } from '../../../core/orders/changes/drain-changes.ts'
import { openProcess } from '../../../core/process.ts'
import { freshDatabase } from '../../support/database.ts'
import { type DatabaseTraffic, openRelay } from '../../support/database-traffic.ts'
import { withBundles } from '../../support/first-start.ts'
import { scratchFolder } from '../../support/scratch.ts'

/** Each operation is asked so often. The least counts, since background work of the server passes through the relay too. */
const ROUNDS = 6
const IDLE_MS = 1_500
const SECRET = 'rehearsal'

/** Statements as they are sent, for `PRINT_TRAFFIC=1`. */
const log: string[] = []
const background = new Set<string>()
let [isIdle, last] = [false, '']
const counted: { statements: number; roundTrips: number } = { statements: 0, roundTrips: 0 }
const relay = await openRelay(await freshDatabase(), (text, { begins }) => {
  if (isIdle) background.add(text)
  // Who waits asks the same again and again.
  const isRepeated = text === last
  last = text
  if (isRepeated || background.has(text)) return
  log.push(`${begins ? '== ' : '  + '} ${text.replace(/\s+/g, ' ').slice(0, 200)}`)
  counted.statements += 1
  if (begins) counted.roundTrips += 1
})
const settings = readConfig({ PORT: '0', DATA_DIR: await withBundles(await scratchFolder()), LOG_LEVEL: 'fatal', ADAPTER_APPROVAL: 'auto' })
const config = { ...settings, rateLimitPerMinute: 1e6, publicRateLimitPerMinute: 1e6, databasePool: 3 }
// Without jobs, so that only requests and what they wait for are counted.
const { context, close } = await openProcess(config, relay.connection)
const app = buildApp(context)
const begun: BackgroundWork[] = []
for (const { start } of features) if (start) begun.push(await start(context))
afterAll(async () => {
  for (const each of begun.reverse()) await each.stop()
  await close()
  relay.close()
})

async function ok(method: string, path: string, as: string | null, body?: unknown, headers: Record<string, string> = {}) {
  const request = new Request(`http://localhost${path}`, {
    method,
    headers: {
      ...(as !== null && { authorization: `Bearer ${as}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = await runAs('', () => app.handle(request))
  // biome-ignore lint/suspicious/noExplicitAny: a test reads shapes that it then asserts
  const given = (await answer.json()) as any
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(given)}`)
  return given.data
}

const person = { name: 'Owner', email: 'owner@example.dz', password: 'correct horse' }
const { token: as } = await ok('POST', '/v1/users/auth/signup', null, person)
const { id: storeId, projectId } = await ok('POST', '/v1/stores', as, { name: 'Boutique', countryCode: 'DZ', currencyCode: 'DZD' })
const { key } = await ok('POST', `/v1/projects/${projectId}/api-keys`, as, { name: 'all', scopes })
const integrations = `/v1/stores/${storeId}/integrations`
await ok('PATCH', `/v1/stores/${storeId}`, as, {
  settings: { sendOnlyConfirmed: false, confirmation: { opensAt: '00:00', closesAt: '00:00' } },
})
await ok('PUT', `${integrations}/sandbox`, as, { enabled: true, credentials: { webhookSecret: SECRET }, settings: {} })
await ok('PUT', `${integrations}/sandbox-payment`, as, { enabled: true, credentials: {}, settings: { outcome: 'paid' } })
const product = await ok('POST', '/v1/products', key, { storeId, name: 'Basket', sku: 'B', price: 1000, initialStock: 1_000 })
const newOrder = {
  storeId,
  customer: { name: 'Lina', phone: '0550123456' },
  destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
  items: [{ productId: product.id, quantity: 1 }],
}

/** What passes between a request and its answer, in each round. */
const seen = new Map<string, DatabaseTraffic[]>()
async function measure<V>(what: string, request: () => Promise<V>): Promise<V> {
  const before = { ...counted }
  log.push(`----- ${what}`)
  const answer = await request()
  const { statements, roundTrips } = counted
  const traffic = { statements: statements - before.statements, roundTrips: roundTrips - before.roundTrips }
  seen.set(what, [...(seen.get(what) ?? []), traffic])
  return answer
}

function callbackOf(tracking: string, eventId: string) {
  const body = { tracking, status: 'delivered', at: new Date().toISOString(), eventId }
  return { body, signature: `sha256=${createHmac('sha256', SECRET).update(JSON.stringify(body)).digest('hex')}` }
}

async function round() {
  const { id } = await measure('POST /v1/orders', () => ok('POST', '/v1/orders', key, newOrder))
  await measure('POST /v1/orders, with an Idempotency-Key', () =>
    ok('POST', '/v1/orders', key, newOrder, { 'idempotency-key': `order ${id}` }),
  )
  await measure('PATCH /v1/orders/{id}, its note', () => ok('PATCH', `/v1/orders/${id}`, key, { note: id }))
  await drainChanges(context)
  await measure('POST /v1/orders/confirmation/next', () => ok('POST', '/v1/orders/confirmation/next', key, {}))
  await measure('POST /v1/orders/{id}/payment', () => ok('POST', `/v1/orders/${id}/payment/sandbox-payment/initiate`, key, {}))
  const { id: sent } = await ok('POST', '/v1/orders', key, newOrder)
  await drainChanges(context)
  await measure('send an order', () => ok('POST', `/v1/stores/${storeId}/orders/${sent}/carriers/sandbox/send`, key, {}))
  const { trackingId } = await ok('GET', `/v1/orders/${sent}/track`, key)
  const { body, signature } = callbackOf(trackingId, sent)
  await drainChanges(context)
  await measure('callback of a carrier', () =>
    ok('POST', `${integrations}/sandbox/webhook`, key, body, { 'x-sandbox-signature': signature }),
  )
  const legs = [-1, 1].map((quantity) => ({ namespace: quantity < 0 ? 'main' : 'shop', key: product.inventoryKey, quantity }))
  await measure('inventory transfer', () => ok('POST', '/v1/inventory/operations', key, { type: 'transfer', legs }))
}

// Heartbeats and polls are not part of requests.
isIdle = true
await Bun.sleep(IDLE_MS)
isIdle = false
for (let at = 0; at < ROUNDS; at += 1) await round()
const leastOf = (what: string): DatabaseTraffic => {
  const all = seen.get(what) ?? []
  return {
    statements: Math.min(...all.map(({ statements }) => statements)),
    roundTrips: Math.min(...all.map(({ roundTrips }) => roundTrips)),
  }
}

/** Most statements and round trips of each operation. Lower one that falls. */
const bounds: readonly (readonly [what: string, statements: number, roundTrips: number])[] = [
  ['POST /v1/orders', 9, 3],
  ['POST /v1/orders, with an Idempotency-Key', 12, 6],
  ['PATCH /v1/orders/{id}, its note', 13, 7],
  ['POST /v1/orders/confirmation/next', 14, 9],
  ['POST /v1/orders/{id}/payment', 30, 24],
  // These two wait for work in the background, whose other statements may fall between.
  ['send an order', 42, 31],
  ['callback of a carrier', 33, 27],
  ['inventory transfer', 6, 4],
]

if (process.env.PRINT_TRAFFIC) console.log(log.join('\n'), ...bounds.map(([what]) => `\n${what} ${JSON.stringify(leastOf(what))}`))
test.each(bounds)('%s takes at most %i statements in %i round trips', (what, statements, roundTrips) => {
  const least = leastOf(what)
  expect(least.statements).toBeLessThanOrEqual(statements)
  expect(least.roundTrips).toBeLessThanOrEqual(roundTrips)
})
