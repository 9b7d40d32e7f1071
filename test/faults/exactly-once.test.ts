import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { connectionUrl } from '../support/database.ts'
import { spawnServer } from '../support/process.ts'
import { inParallel, storefront } from '../support/storefront.ts'
import { often } from '../support/thorough.ts'

/** More with the variable. */
const ORDERS = Number(process.env.EXACTLY_ONCE_ORDERS ?? often({ quick: 80, thorough: 300 }))
const KILLS = often({ quick: 2, thorough: 3 })
/** Five in a hundred answers are lost, five are a 5xx (half of them with the parcel taken), two never come. */
const FAULTS = { loseAnswer: 0.05, error500: 0.025, error500After: 0.025, neverAnswer: 0.02, delayMs: 100 }
const NO_FAULTS = { loseAnswer: 0, error500: 0, error500After: 0, neverAnswer: 0, delayMs: 0 }
/** So many go with a carrier that cannot be asked what it has. */
const UNSAFE = often({ quick: 40, thorough: 60 })
/** So many are sent in bulk, this many a call. */
const TOGETHER = often({ quick: 40, thorough: 100 })
const A_CALL = 20

const simulator = Bun.spawn([process.execPath, 'test/adapters/carrier/yalidine/simulator.ts', '--port', '0', '--seed', '7'], {
  cwd: join(import.meta.dir, '../..'),
  stdout: 'pipe',
})
const simulatorUrl = await firstLine(simulator.stdout)
const server = await spawnServer({
  SIMULATORS: `api.yalidine.app=${simulatorUrl}`,
  ADAPTER_DIRS: join(import.meta.dir, '../support/adapters'),
  // It borrows another adapter's code, which none from elsewhere can.
  ADAPTER_ISOLATION: 'none',
  ADAPTER_APPROVAL: 'auto',
  ...(await connectionUrl()),
})
afterAll(async () => {
  await server.stop()
  simulator.kill()
})

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of stream) {
    text += new TextDecoder().decode(chunk)
    const found = /https?:\/\/[\w.:-]+/.exec(text)
    if (found && text.includes('\n')) return found[0]
  }
  throw new Error('the simulator did not start')
}

const control = async (path: string, body?: unknown) => {
  const answer = await fetch(
    `${simulatorUrl}/_control/${path}`,
    body === undefined ? {} : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
  )
  return answer.json()
}

interface Row {
  readonly orderId: string
  readonly parcel?: unknown
  readonly error?: { readonly code: string }
}

interface Shop {
  readonly as: string
  readonly key: string
  readonly storeId: string
}
const { ok, ask, open } = storefront(server.url)
let shop: Shop | undefined

/** A store connected to both carriers, and orders in it. */
async function ordersOf(name: string, count: number) {
  shop ??= await open()
  const { as, key, storeId } = shop
  const { credentials } = (await control('account')) as { credentials: { apiId: string; apiToken: string } }
  for (const slug of ['rehearsal', 'rehearsal-unsafe'])
    await ok('PUT', `/v1/stores/${storeId}/integrations/${slug}`, as, { enabled: true, credentials, settings: { fromStateCode: '16' } })
  const product = await ok('POST', '/v1/products', key, { storeId, name: 'Basket', price: 4500, initialStock: 10_000 })
  const orders = await inParallel(Array.from({ length: count }), 16, (_, at) =>
    ok(
      'POST',
      '/v1/orders',
      key,
      {
        storeId,
        customer: { name: `Client ${at}`, phone: '0550123456' },
        items: [{ productId: product.id, quantity: 1 }],
        destination: { country: 'DZ', stateCode: '31', cityName: 'Oran', address: 'Rue 1', deliveryType: 'home' },
      },
      { 'idempotency-key': `${name}-${at}` },
    ),
  )
  return { ...shop, orders: orders as { id: string; reference: string }[] }
}

/** Kills the server now and then until `done`; says how often. */
async function killing(times: number, done: () => boolean): Promise<number> {
  let kills = 0
  for (; kills < times && !done(); kills += 1) {
    await Bun.sleep(300 + Math.random() * 600)
    await server.kill()
    await server.start()
  }
  return kills
}

/** What the carrier has, by our reference. */
async function atCarrier() {
  const parcels = (await control('parcels')) as { fields: { order_id: string }; tracking: string }[]
  return Map.groupBy(parcels, ({ fields }) => fields.order_id)
}

test(`${ORDERS} sends, answers lost, requests doubled, the process killed: each order is at the carrier exactly once`, async () => {
  const { as, key, storeId, orders } = await ordersOf('safe', ORDERS)
  await control('faults', FAULTS)

  let sending = true
  const killer = killing(KILLS, () => !sending)
  const oneByOne = inParallel(orders.slice(0, -TOGETHER), 24, async ({ id }, at) => {
    const send = () => ask('POST', `/v1/stores/${storeId}/orders/${id}/carriers/rehearsal/send`, as, {})
    const answers = await Promise.all(at % 4 === 0 ? [send(), send(), send()] : [send()])
    for (const { status } of answers) expect([200, 202]).toContain(status)
  })
  // The rest in bulk, each call doubled.
  const rows: Row[] = []
  const bulk = Array.from({ length: TOGETHER / A_CALL }, (_, at) =>
    orders.slice(ORDERS - TOGETHER + at * A_CALL, ORDERS - TOGETHER + (at + 1) * A_CALL),
  )
  const together = inParallel(bulk, 2, async (some) => {
    const send = () =>
      ask('POST', `/v1/stores/${storeId}/integrations/rehearsal/parcels/sendMany`, as, { orders: some.map(({ id }) => ({ orderId: id })) })
    for (const { status, body } of await Promise.all([send(), send()])) {
      expect(status).toBe(200)
      rows.push(...(body.data as Row[]))
    }
  })
  await Promise.all([oneByOne, together])
  sending = false
  expect(await killer).toBe(KILLS)
  // A row that could not be made into an order says so, and is sent again by its reader.
  const made = new Set(rows.flatMap(({ orderId, parcel }) => (parcel ? [orderId] : [])))
  const unmade = rows.filter(({ orderId }) => !made.has(orderId))
  expect(unmade.filter(({ error }) => error?.code !== 'unavailable')).toEqual([])
  for (const orderId of new Set(unmade.map((row) => row.orderId)))
    await ok('POST', `/v1/stores/${storeId}/orders/${orderId}/carriers/rehearsal/send`, as, {})
  await control('faults', NO_FAULTS)

  const left = await untilNothingMoves(
    () => ok('GET', '/v1/parcels?status=submitting&limit=100', key),
    () => ok('GET', '/v1/parcels?status=created&limit=100', key),
  )
  expect(left).toEqual([])
  const counts = await atCarrier()
  const missing = orders.filter(({ reference }) => !counts.has(reference))
  const told = await Promise.all(
    missing.map(async ({ id }) => ({
      order: await ok('GET', `/v1/orders/${id}`, key),
      rows: rows.filter(({ orderId }) => orderId === id),
    })),
  )
  expect(told).toEqual([])
  expect([...counts].filter(([, parcels]) => parcels.length > 1).map(([reference]) => reference)).toEqual([])
  expect(new Set(counts.keys())).toEqual(new Set(orders.map(({ reference }) => reference)))
  for (const { id } of orders) {
    const { data } = (await ask('GET', `/v1/orders/${id}/track`, key)).body
    expect(data).toMatchObject({ status: 'sent', trackingId: counts.get(data.reference)![0]!.tracking })
  }
}, 240_000)

test(`a carrier that cannot be asked: of ${UNSAFE} sends none is doubled, and each whose outcome nobody knows waits for a person with its reason`, async () => {
  const { as, key, storeId, orders } = await ordersOf('unsafe', UNSAFE)
  // More are lost than are of the others, so that some surely wait.
  await control('faults', { ...FAULTS, loseAnswer: 0.2 })
  const send = (id: string) => ask('POST', `/v1/stores/${storeId}/orders/${id}/carriers/rehearsal-unsafe/send`, as, {})
  const killer = killing(1, () => false)
  await inParallel(orders, 24, ({ id }) => Promise.all([send(id), send(id)]))
  await killer
  await control('faults', NO_FAULTS)
  const undecided = async () => {
    const parcels = (await ok('GET', '/v1/parcels?status=submitting&limit=100', key)) as { outcomeUnknown: boolean }[]
    return parcels.filter(({ outcomeUnknown }) => !outcomeUnknown)
  }
  expect(await untilNothingMoves(undecided)).toEqual([])

  const waiting = (await ok('GET', '/v1/parcels?status=submitting&limit=100', key)) as {
    id: string
    reference: string
    orderId: string
    lastError: { code: string; message: string }
  }[]
  expect(waiting.length).toBeGreaterThan(0)
  for (const { lastError } of waiting) expect(lastError).toMatchObject({ code: 'outcome_unknown', message: expect.stringMatching(/.{10}/) })
  // The person looks into the carrier's dashboard, and what is not there is sent again.
  const before = await atCarrier()
  for (const { id, reference, orderId } of waiting) {
    const there = before.get(reference)?.[0]
    await ok('POST', `/v1/parcels/${id}/outcome`, key, there ? { taken: true, trackingId: there.tracking } : { taken: false })
    if (!there) expect((await send(orderId)).status).toBe(200)
  }
  const after = await atCarrier()
  for (const { reference } of orders) expect(after.get(reference)?.length).toBe(1)
  expect(await ok('GET', '/v1/parcels?status=created&limit=100', key)).toEqual([])
}, 240_000)

/** What is still on its way after a minute. One that goes from list to list while they are read is in none: three looks find none such. */
async function untilNothingMoves(...reads: (() => Promise<unknown[]>)[]): Promise<unknown[]> {
  let quiet = 0
  for (const until = Date.now() + 60_000; ; await Bun.sleep(250)) {
    const left = (await Promise.all(reads.map((read) => read()))).flat()
    quiet = left.length === 0 ? quiet + 1 : 0
    if (quiet === 3 || Date.now() > until) return left
  }
}
