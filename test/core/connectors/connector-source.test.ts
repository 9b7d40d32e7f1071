import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const app = await startApp()
const { call, ok } = app

async function connected() {
  const made = await app.shop()
  const { storeId, owner, key } = made
  const base = `/v1/stores/${storeId}/integrations/connectors`
  await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', sku: 'B', price: 9000, initialStock: 10_000 } })
  const settings = { orders: 2, shop: 'one.example', skus: 'B' }
  const body = { platform: 'sandbox-shop', name: 'Shop', credentials: { webhookSecret: 'secret-of-callbacks-0123456789' }, settings }
  const connect = async () => (await ok('POST', base, { as: owner.token, body })).data as { id: string }
  const connector = await connect()
  const ours = async (query = '') => (await ok('GET', `/v1/orders?storeId=${storeId}&limit=100${query}`, { as: key })).data
  await ok('POST', `${base}/${connector.id}/pull`, { as: key, body: { since: '2026-01-01T00:00:00Z' } })
  await until(async () => (await ours()).length === 2)
  return { ...made, base, connector, connect, ours }
}

test('an order of a connected shop says its source, its connector and its id there', async () => {
  const { connector, ours } = await connected()
  const orders = await ours('&sort=createdAt')
  for (const order of orders) expect(order).toMatchObject({ source: 'connector', connectorId: connector.id })
  expect(orders.map(({ externalId }: { externalId: string }) => externalId).toSorted()).toEqual(['sample-1', 'sample-2'])
  expect(await ours(`&filter[connectorId]=${connector.id}&filter[source]=connector`)).toHaveLength(2)
  expect(await ours('&filter[externalId]=sample-2')).toMatchObject([{ externalId: 'sample-2' }])
  expect(await ours('&filter[externalId]=sample-3')).toEqual([])
  expect(await ours('&filter[source]=api')).toEqual([])
})

test('the source of an order cannot be overwritten, and survives a change of its metadata', async () => {
  const { connector, ours, key } = await connected()
  const [{ id }] = await ours()
  for (const field of [{ source: 'api' }, { connectorId: null }, { externalId: 'other' }])
    expect((await call('PATCH', `/v1/orders/${id}`, { as: key, body: field })).status).toBe(400)
  await ok('PATCH', `/v1/orders/${id}`, { as: key, body: { metadata: { channel: 'mine' } } })
  const { data } = await ok('GET', `/v1/orders/${id}`, { as: key })
  expect(data).toMatchObject({ source: 'connector', connectorId: connector.id, metadata: { channel: 'mine' } })
})

test('an order made by an API key has no connector', async () => {
  const { storeId, key } = await app.shop()
  const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Ribbon', price: 100, initialStock: 5 } })
  const body = {
    storeId,
    customer: { name: 'Lina', phone: '0550123456' },
    destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
    items: [{ productId: product.id, quantity: 1 }],
  }
  const { data } = await ok('POST', '/v1/orders', { as: key, body })
  expect(data).toMatchObject({ source: 'api', connectorId: null, externalId: null })
})

test('orders of a shop that is connected anew belong to the new connection', async () => {
  const { connector, connect, ours, base, owner } = await connected()
  await ok('DELETE', `${base}/${connector.id}`, { as: owner.token })
  const next = await connect()
  expect(next.id).not.toBe(connector.id)
  for (const order of await ours()) expect(order).toMatchObject({ source: 'connector', connectorId: next.id })
})
