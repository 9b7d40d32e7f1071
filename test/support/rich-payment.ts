import type { Shop, TestApp } from './app.ts'

/** An order that was paid beforehand, and of which a part was given back. */
export async function richPayment({ call, ok }: TestApp, { storeId, key, owner }: Shop, newOrder: object) {
  await ok('PUT', `/v1/stores/${storeId}/integrations/sandbox-payment`, {
    as: owner.token,
    body: { enabled: true, credentials: {}, settings: { outcome: 'paid' } },
  })
  const { data: order } = await ok('POST', '/v1/orders', { as: key, body: newOrder })
  const { data: begun } = await ok('POST', `/v1/orders/${order.id}/payment/sandbox-payment/initiate`, { as: key, body: {} })
  await call('POST', `/v1/orders/${order.id}/payments/${begun.id}/sync`, { as: key })
  const { data: payment } = await ok('POST', `/v1/orders/${order.id}/payments/${begun.id}/refund`, {
    as: owner.token,
    body: { amount: 100 },
  })
  return { prepaid: order, payment, refund: payment.refunds[0] }
}
