import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { startApp } from '../../support/app.ts'
import { findDifferences } from '../../support/checks.ts'
import { until } from '../../support/until.ts'

const { call, ok, shop, context } = await startApp()
const { sql } = context
const SECRET = 'rehearsal'

async function sandboxShop() {
  const made = await shop()
  const as = made.owner.token
  const { data: product } = await ok('POST', '/v1/products', {
    as,
    body: { storeId: made.storeId, name: 'Basket', sku: 'SNK', price: 100, initialStock: 20 },
  })
  const { data: connection } = await ok('PUT', `/v1/stores/${made.storeId}/integrations/sandbox`, {
    as,
    body: { enabled: true, credentials: { webhookSecret: SECRET }, settings: {} },
  })
  return { ...made, as, product, connection }
}
type Shop = Awaited<ReturnType<typeof sandboxShop>>

async function sentOrder({ as, storeId, key, product }: Shop, quantity = 7) {
  const { data: order } = await ok('POST', '/v1/orders', {
    as: key,
    body: {
      storeId,
      customer: { name: 'Lina', phone: '0550123456' },
      destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
      items: [{ productId: product.id, quantity }],
    },
  })
  const { data } = await ok('POST', `/v1/stores/${storeId}/orders/${order.id}/carriers/sandbox/send`, { as })
  return { order, parcel: data.parcel }
}

function callback({ storeId }: Shop, tracking: string, status: string) {
  const raw = JSON.stringify({ tracking, status, at: new Date().toISOString(), eventId: crypto.randomUUID() })
  const signature = `sha256=${createHmac('sha256', SECRET).update(raw).digest('hex')}`
  return call('POST', `/v1/stores/${storeId}/integrations/sandbox/webhook`, { raw, headers: { 'x-sandbox-signature': signature } })
}

const onHand = async ({ key }: Shop) => (await ok('GET', '/v1/inventory/balances?key=SNK', { as: key })).data[0].onHand

test('orders: an order with a parcel under way cannot be deleted, and its goods come back', async () => {
  const on = await sandboxShop()
  const { order, parcel } = await sentOrder(on)
  for (const status of ['out for delivery', 'delivered', 'returning']) {
    expect((await callback(on, parcel.trackingId, status)).status).toBe(200)
    const refused = await call('DELETE', `/v1/orders/${order.id}`, { as: on.as })
    expect([status, refused.status, refused.body.error?.code]).toEqual([status, 409, 'invalid_transition'])
  }
  expect(await onHand(on)).toBe(13)
  await callback(on, parcel.trackingId, 'returned')
  expect(await onHand(on)).toBe(20)
  expect((await call('DELETE', `/v1/orders/${order.id}`, { as: on.as })).status).toBe(204)
  expect(await findDifferences(sql)).toEqual([])
})

test('goods of an order that was deleted before come back all the same', async () => {
  const on = await sandboxShop()
  const { order, parcel } = await sentOrder(on)
  await callback(on, parcel.trackingId, 'delivered')
  await sql`update orders set deleted_at = now() where id = ${order.id}`
  expect((await findDifferences(sql)).map(({ id, says }) => [id, says])).toEqual([[parcel.id, 'delivered, its order was deleted']])
  await callback(on, parcel.trackingId, 'returned')
  expect(await onHand(on)).toBe(20)
  expect(await findDifferences(sql)).toEqual([])
})

test('a store with parcels on their way is not deleted; one that is deleted has no keys that work', async () => {
  const on = await sandboxShop()
  const { parcel } = await sentOrder(on)
  const refused = await call('DELETE', `/v1/stores/${on.storeId}`, { as: on.as })
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'conflict'])
  expect((await callback(on, parcel.trackingId, 'delivered')).status).toBe(200)
  expect((await call('GET', '/v1/parcels', { as: on.key })).status).toBe(200)
  expect((await call('DELETE', `/v1/stores/${on.storeId}`, { as: on.as })).status).toBe(204)
  const gone = await call('GET', '/v1/parcels', { as: on.key })
  expect([gone.status, gone.body.error?.code]).toEqual([401, 'invalid_api_key'])
  expect(await findDifferences(sql)).toEqual([])
})

test('a store is deleted or its parcel is sent, never both', async () => {
  for (let delay = 0; delay < 20; delay += 1) {
    const on = await sandboxShop()
    const sending = sentOrder(on).then(({ parcel }) => parcel.status, String)
    await Bun.sleep(10 + delay)
    const { status } = await call('DELETE', `/v1/stores/${on.storeId}`, { as: on.as })
    await sending
    expect([204, 409]).toContain(status)
  }
  await until(async () => (await sql`select 1 from parcels where status = 'submitting'`).length === 0)
  expect(await findDifferences(sql)).toEqual([])
})

test('what would be wrong is noticed: sent without goods, made from less, on its way for nobody', async () => {
  const on = await sandboxShop()
  const [first, second, third, fourth] = [await sentOrder(on, 1), await sentOrder(on, 1), await sentOrder(on, 1), await sandboxShop()]
  const left = await sentOrder(fourth, 1)
  await sql`update orders set reservation_id = null where id = ${first.order.id}`
  await sql`update orders set version = version + 1 where id = ${second.order.id}`
  await sql`update orders set deleted_at = now() where id = ${third.order.id}`
  await sql`update stores set deleted_at = now() where id = ${fourth.storeId}`
  const found = (await findDifferences(sql)).map(({ id, says }) => `${id} ${says}`)
  for (const [id, says] of [
    [first.order.id, 'reservation missing'],
    [second.parcel.id, 'made from an older state'],
    [third.parcel.id, 'its order was deleted'],
    [fourth.storeId, `its parcel ${left.parcel.id} is submitted`],
    [fourth.storeId, 'its API key'],
  ])
    expect(found.filter((line) => line.startsWith(id) && line.includes(says))).toHaveLength(1)
})
