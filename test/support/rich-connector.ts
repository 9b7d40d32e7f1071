import { findShop, upsertOrder } from '../../core/connectors/shops/orders/upsert-order.ts'
import { openNamedConnection } from '../../core/integrations/connections/connection.ts'
import type { Shop, TestApp } from './app.ts'

/** A shop elsewhere, with an order whose goods nobody knows. */
export async function richConnector({ ok, context }: TestApp, { storeId, owner, key }: Shop) {
  const base = `/v1/stores/${storeId}/integrations/connectors`
  const body = { platform: 'sandbox-shop', name: 'shop', credentials: {}, settings: { orders: 0 } }
  const { data: connector } = await ok('POST', base, { as: owner.token, body })
  const shop = await findShop(context, await openNamedConnection(context, 'connector', connector.id))
  await upsertOrder(context, shop!, {
    externalId: 'waiting',
    number: '#1',
    status: 'open',
    currency: 'DZD',
    customer: { name: 'Amina Saadi', phone: '0550123456' },
    address: { country: 'DZ', state: '16', city: 'Bab Ezzouar', address: '' },
    items: [{ name: 'Nobody sells this', quantity: 1, unitPrice: '100' }],
    delivery: '0',
    total: '100',
    updatedAt: '2026-11-20T10:00:00Z',
  })
  const [goods, orders] = await Promise.all(['inbox', 'orders'].map((what) => ok('GET', `${base}/${connector.id}/${what}`, { as: key })))
  return { shopOfOrders: { connector, goodsId: goods.data[0].id as string, orderId: orders.data[0].id as string } }
}
