import { createHmac } from 'node:crypto'
import type { Shop, TestApp } from './app.ts'

/** A delivered order of which something is awaited back, its parcel signed for with the connection's secret. */
export async function richReturn({ ok }: TestApp, { storeId, key }: Shop, newOrder: object, secret: string) {
  const { data: order } = await ok('POST', '/v1/orders', { as: key, body: newOrder })
  const { data: parcel } = await ok('POST', `/v1/stores/${storeId}/orders/${order.id}/carriers/sandbox/send`, { as: key, body: {} })
  const said = { tracking: parcel.parcel.trackingId, status: 'delivered', at: new Date().toISOString(), eventId: order.id }
  const raw = JSON.stringify(said)
  const signature = `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`
  await ok('POST', `/v1/stores/${storeId}/integrations/sandbox/webhook`, { raw, headers: { 'x-sandbox-signature': signature } })
  const { data: awaited } = await ok('POST', '/v1/orders/return', { as: key, body: { orderId: order.id, received: false } })
  return { deliveredOrder: order, awaited }
}
