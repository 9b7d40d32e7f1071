import { createHmac } from 'node:crypto'
import { quantile } from '../figures.ts'
import { milliseconds, perSecond, type Row } from '../table.ts'
import type { World } from '../world.ts'

const PER_SECOND = 200
const P99_MS = 100
const WARM_UP = 200
const SECRET = 'a secret of callbacks, long enough'
const PATIENCE_MS = 120_000

/** What shops elsewhere tell of new orders: how long each waits for its answer, while those before are taken, and how soon all are. */
export async function toldByShops({ server, shop }: World, seconds: number): Promise<Row[]> {
  const { client, storeId, key, as } = shop
  const count = WARM_UP + PER_SECOND * seconds
  await client.ok('POST', '/v1/products', key, { storeId, name: 'Told', sku: 'TOLD', price: 2500, initialStock: count })
  const base = `/v1/stores/${storeId}/integrations/connectors`
  const connector = await client.ok('POST', base, as, {
    platform: 'sandbox-shop',
    name: 'told',
    credentials: { webhookSecret: SECRET },
    settings: { orders: 0, shop: 'told.example', skus: 'TOLD' },
  })
  const url = server.url + new URL(connector.webhookUrl).pathname
  const began = performance.now()
  const waits = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      await Bun.sleep(Math.max(0, began + (at * 1000) / PER_SECOND - performance.now()))
      return tell(url, at)
    }),
  )
  const ended = performance.now()
  const taken = async () => (await client.ok('GET', base, key)).find(({ id }: { id: string }) => id === connector.id).orders.taken as number
  while ((await taken()) < count) {
    if (performance.now() - ended > PATIENCE_MS) throw new Error(`${count} orders were told, ${await taken()} are taken.`)
    await Bun.sleep(100)
  }
  const all = performance.now() - began
  const latencies = waits.slice(WARM_UP)
  const p99 = quantile(latencies, 0.99)
  const what = `order told by a shop at ${PER_SECOND}/s → answered`
  return [
    { what: `${what}, p50`, ours: milliseconds(quantile(latencies, 0.5)) },
    { what: `${what}, p99`, ours: milliseconds(p99), target: `< ${P99_MS} ms`, reached: p99 < P99_MS },
    { what: 'such orders taken', ours: perSecond((count * 1000) / all) },
  ]
}

async function tell(url: string, at: number): Promise<number> {
  const order = {
    externalId: `told-${at}`,
    number: `#${at}`,
    status: 'open',
    currency: 'DZD',
    customer: { name: `Customer ${at}`, phone: `05501${String(at).padStart(5, '0')}` },
    address: { country: 'DZ', state: '16', city: 'Bab Ezzouar', address: '' },
    items: [{ sku: 'TOLD', name: 'Told', quantity: 1, unitPrice: '2500' }],
    delivery: '0',
    total: '2500',
    updatedAt: new Date().toISOString(),
  }
  const body = JSON.stringify({ order })
  const headers = { 'content-type': 'application/json', 'x-sandbox-signature': createHmac('sha256', SECRET).update(body).digest('hex') }
  const began = performance.now()
  const answer = await fetch(url, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`An order that was told was answered ${answer.status}: ${await answer.text()}`)
  return performance.now() - began
}
