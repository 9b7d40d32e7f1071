import { afterAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import type { Adapter } from '../../../plugins/adapter.ts'
import { startYalidine } from '../../adapters/carrier/yalidine/simulator.ts'
import { KEYS, startWoo } from '../../adapters/connector/woocommerce/simulator.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const SECRET = 'secret-of-callbacks-0123456789'
const SECRET_KEY = 'test_sk_0123456789'
const [yalidine, woo] = [await startYalidine({}), startWoo()]
afterAll(() => Promise.all([yalidine.stop(), woo.stop()]))
/** Every adapter runs in a process of its own, so that each call of a function crosses into it. */
const { call, ok, shop, context } = await startApp({
  simulators: { 'api.yalidine.app': yalidine.url, [woo.host]: woo.url },
  publicUrl: 'https://ours.example',
  adapterIsolation: 'all',
})
const { storeId, owner } = await shop()
const base = `/v1/stores/${storeId}/integrations`

/** Records the name of each function of the adapter's webhook that the server calls. */
function recordCrossings({ webhook }: Adapter & { webhook?: object }): string[] {
  const crossings: string[] = []
  for (const [name, work] of Object.entries(webhook ?? {}))
    if (typeof work === 'function')
      Object.assign(webhook as object, {
        [name](...given: unknown[]) {
          crossings.push(name)
          return work(...given)
        },
      })
  return crossings
}

test('webhook intake: a callback of a carrier crosses once into the adapter', async () => {
  const body = { enabled: true, credentials: { ...yalidine.credentials }, settings: { fromStateCode: '16' } }
  await ok('PUT', `${base}/yalidine`, { as: owner.token, body })
  const crossings = recordCrossings(context.plugins.find('carrier', 'yalidine')!.adapter)
  const { headers, body: bytes } = yalidine.callback('parcel_edited', [])
  const answer = await call('POST', `${base}/yalidine/webhook`, { raw: bytes, headers })
  expect([answer.status, crossings]).toEqual([200, ['receive']])
})

test('webhook intake: a callback of a gateway crosses once into the adapter', async () => {
  await ok('PUT', `${base}/chargily`, { as: owner.token, body: { enabled: false, credentials: { secretKey: SECRET_KEY }, settings: {} } })
  const crossings = recordCrossings(context.plugins.find('payment', 'chargily')!.adapter)
  const raw = JSON.stringify({ type: 'checkout.paid', data: { id: '01jtest', amount: 5000, currency: 'dzd', metadata: {} } })
  const signature = createHmac('sha256', SECRET_KEY).update(raw).digest('hex')
  const answer = await call('POST', `${base}/chargily/webhook`, { raw, headers: { signature } })
  expect([answer.status, answer.body.data.received, crossings]).toEqual([200, 1, ['receive']])
})

test('webhook intake: a callback of a connected shop crosses once into the adapter until its order is imported', async () => {
  const body = { platform: 'woocommerce', credentials: { ...KEYS, webhookSecret: SECRET }, settings: { shop: woo.host } }
  const { data: connector } = await ok('POST', `${base}/connectors`, { as: owner.token, body })
  const crossings = recordCrossings(context.plugins.find('connector', 'woocommerce')!.adapter)
  const { headers, body: bytes } = woo.signed(SECRET, 'order.deleted', JSON.stringify({ id: 77 }))
  const answer = await call('POST', new URL(connector.webhookUrl).pathname, { raw: bytes, headers })
  expect(answer.status).toBe(200)
  const processed = async () => (await context.sql`select 1 from connector_callbacks where worked_at is not null`).length === 1
  await until(processed)
  expect(crossings).toEqual(['receive'])
})
