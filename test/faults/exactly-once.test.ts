import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { connectionUrl } from '../support/database.ts'
import { spawnServer } from '../support/process.ts'
import { inParallel, storefront } from '../support/storefront.ts'

const ORDERS = Number(process.env.EXACTLY_ONCE_ORDERS ?? 500)
const KILLS = 4
const LOST = 0.1
/** So many are sent in bulk, this many a call. */
const TOGETHER = 100
const A_CALL = 20

const simulator = Bun.spawn([process.execPath, 'test/simulators/yalidine.ts', '--port', '0', '--seed', '7'], {
  cwd: join(import.meta.dir, '../..'),
  stdout: 'pipe',
})
const simulatorUrl = await firstLine(simulator.stdout)
const server = await spawnServer({
  SIMULATORS: `api.yalidine.app=${simulatorUrl}`,
  ADAPTER_DIRS: join(import.meta.dir, '../support/adapters'),
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

test(`${ORDERS} sends, answers lost, requests doubled, the process killed: each order is at the carrier exactly once`, async () => {
  const { ok, ask, open } = storefront(server.url)
  const { as, key, storeId } = await open()
  const product = await ok('POST', '/v1/products', key, { storeId, name: 'Basket', price: 4500, initialStock: 10_000 })
  const { credentials } = (await control('account')) as { credentials: { apiId: string; apiToken: string } }
  await ok('PUT', `/v1/stores/${storeId}/integrations/rehearsal`, as, { enabled: true, credentials, settings: { fromStateCode: '16' } })
  const orders = await inParallel(Array.from({ length: ORDERS }), 16, (_, at) =>
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
      { 'idempotency-key': `order-${at}` },
    ),
  )
  await control('faults', { loseAnswer: LOST, delayMs: 150 })

  let sending = true
  let kills = 0
  const killer = (async () => {
    for (; kills < KILLS && sending; kills += 1) {
      await Bun.sleep(200 + Math.random() * 400)
      await server.kill()
      await server.start()
    }
  })()
  const oneByOne = inParallel(orders.slice(0, -TOGETHER), 24, async ({ id }, at) => {
    const send = () => ask('POST', `/v1/stores/${storeId}/orders/${id}/carriers/rehearsal/send`, as, {})
    const answers = await Promise.all(at % 4 === 0 ? [send(), send(), send()] : [send()])
    for (const { status } of answers) expect([200, 202]).toContain(status)
  })
  // The rest in bulk, each call doubled.
  const bulk = Array.from({ length: TOGETHER / A_CALL }, (_, at) =>
    orders.slice(ORDERS - TOGETHER + at * A_CALL, ORDERS - TOGETHER + (at + 1) * A_CALL),
  )
  const together = inParallel(bulk, 2, async (some) => {
    const send = () =>
      ask('POST', `/v1/stores/${storeId}/integrations/rehearsal/parcels/sendMany`, as, { orders: some.map(({ id }) => ({ orderId: id })) })
    for (const { status } of await Promise.all([send(), send()])) expect(status).toBe(200)
  })
  await Promise.all([oneByOne, together])
  sending = false
  await killer
  expect(kills).toBeGreaterThanOrEqual(KILLS - 1)
  await control('faults', { loseAnswer: 0, delayMs: 0 })

  const left = await untilNothingMoves(
    () => ok('GET', '/v1/parcels?status=submitting&limit=100', key),
    () => ok('GET', '/v1/parcels?status=created&limit=100', key),
  )
  expect(left).toEqual([])
  const atCarrier = (await control('parcels')) as { fields: { order_id: string }; tracking: string }[]
  const counts = Map.groupBy(atCarrier, ({ fields }) => fields.order_id)
  expect([...counts].filter(([, parcels]) => parcels.length > 1).map(([reference]) => reference)).toEqual([])
  expect(new Set(counts.keys())).toEqual(new Set(orders.map(({ reference }) => reference)))
  const trackings = new Map(atCarrier.map(({ fields, tracking }) => [fields.order_id, tracking]))
  for (const { id } of orders) {
    const { data } = (await ask('GET', `/v1/orders/${id}/track`, key)).body
    expect(data).toMatchObject({ status: 'sent', trackingId: trackings.get(data.reference)! })
  }
}, 240_000)

/** What is still on its way after a minute. */
async function untilNothingMoves(...reads: (() => Promise<unknown[]>)[]): Promise<unknown[]> {
  for (const until = Date.now() + 60_000; ; await Bun.sleep(250)) {
    const left = (await Promise.all(reads.map((read) => read()))).flat()
    if (left.length === 0 || Date.now() > until) return left
  }
}
